#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: where rows are lost nothing false is said: of packets that were all delivered or dropped, that, or unknown
# requires: nft chrt
# timeout: 400

. "$(dirname "$0")/lib.sh"

# All on one CPU: a buffer of some pages that overruns while another CPU reads it can make 6.1 count its pages wrongly, and
# warn (design.md, "Hazards").
taskset -cp 0 $$ >/dev/null
traffic=$(program traffic)
two_namespaces
# What a socket's buffer takes, should nobody read it meanwhile.
count=250
# What comes to port 9001 is thrown away.
in_b nft -f - <<-END
	table inet t {
		chain in {
			type filter hook input priority 0;
			udp dport 9001 counter drop
		}
	}
END
dropped() {
	in_b nft list chain inet t in | sed -n 's/.*packets \([0-9]*\).*/\1/p'
}

# Who reads it waits for the traffic. On a kernel that watches itself he would not read at all before its end, and of packets
# without their beginning the end is known: there he reads now and then.
waits=(chrt --idle 0)
works=(chrt --other 0)
if [ "$VM_KERNEL" = debug ]; then
	waits=(nice -n 19)
	works=(nice -n -19)
fi
lossy() {
	"${waits[@]}" trace-cmd record-skb --detail "$1" -b 8 -o "$OUT/$1.dat" 'udp portrange 9000-9001' -- \
		"${works[@]}" ip netns exec A "$traffic" burst 10.9.0.2 $count 9001 9000
}

# Somebody has asked for the oldest to be kept: the kernel would count what it drops, and not say where.
at_exit eval "echo 1 >'$tracing/options/overwrite'"
echo 0 >"$tracing/options/overwrite"
# Where rows are lost between two packets, all is known of both: again then.
unknown=0
for detail in path net path net path net; do
	[ "$unknown" = 0 ] || [ ! -e "$OUT/net.dat" ] || break
	before=$(dropped)
	is "$(delivered B 9000 lossy $detail)" "received $count, late 0, twice 0" "$detail: all came"
	thrown=$(($(dropped) - before))
	[ "$thrown" -ge "$count" ] || fail "only $thrown were dropped"
	has "$(cat "$OUT/said")" ' entries recorded, [1-9][0-9]* lost' "$detail: rows are lost"
	has "$(trace-cmd report-skb -i "$OUT/$detail.dat" 2>&1)" '^lost on CPU 0 (before|between) .* entries(, not counted)?$' "$detail: and it is told where"
	trace-cmd report-skb -i "$OUT/$detail.dat" --json 2>/dev/null | awk -f "$here/fates.awk" >"$OUT/fates"
	is "$(grep ':9000' "$OUT/fates" | grep -Ev -m 3 $'\t(delivered|unknown)$')" "" "$detail: delivered, or unknown"
	is "$(grep ':9001' "$OUT/fates" | grep -Ev -m 3 $'\t(dropped NETFILTER_DROP|unknown)$')" "" "$detail: dropped, or unknown"
	unknown=$((unknown + $(grep -c $'\tunknown$' "$OUT/fates" || :)))
	[ "$(grep -c $'\tdropped NETFILTER_DROP$' "$OUT/fates")" -le "$thrown" ] || fail "$detail: more are dropped than were"
	ok "$detail: $(cut -f 2 "$OUT/fates" | sort | uniq -c | tr -s ' \n' ' ')"
done
[ "$unknown" -gt 0 ] || fail "of all packets everything is known"
