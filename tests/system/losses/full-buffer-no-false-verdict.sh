#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if entries are lost, no verdict is wrong: packets that were all delivered, or all dropped, have this verdict or "unknown"
# requires: nft chrt
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

# Run everything on one CPU. If a small buffer overruns while another CPU reads it, Linux 6.1 can count the
# buffer's pages wrongly and warn (see Documentation/internals/hazards.md).
taskset -cp 0 $$ >/dev/null
traffic=$(program traffic)
two_namespaces
# The receive buffer of a socket that is not read has room for this many datagrams.
count=250
# B drops packets to port 9001.
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

# To let the buffer overrun, its readers run only when a CPU is idle. On a slow machine (arm64 and the debug kernel, both
# emulated), they may then not run before the traffic ends. In this case, only the beginnings of packets would be lost, and
# each verdict would be known. So on the debug kernel, and after the first two recordings, the readers have a low priority
# instead, and run sometimes.
waits=(chrt --idle 0)
works=(chrt --other 0)
let_readers_run() {
	waits=(nice -n 19)
	works=(nice -n -19)
}
[ "$VM_KERNEL" != debug ] || let_readers_run
lossy() {
	"${waits[@]}" trace-cmd record-skb --detail "$1" -b 8 -o "$OUT/$1.dat" 'udp portrange 9000-9001' -- \
		"${works[@]}" ip netns exec A "$traffic" burst 10.9.0.2 $count 9001 9000
}

# Set the trace buffer to keep its oldest entries, as another user may have done. With this setting, the
# kernel would count the entries that it drops, but would not tell where entries are missing.
at_exit eval "echo 1 >'$tracing/options/overwrite'"
echo 0 >"$tracing/options/overwrite"
# If each loss is between two packets, no packet is incomplete, and no verdict is "unknown". Then record
# again.
unknown=0
for detail in path net path net path net; do
	[ "$unknown" = 0 ] || [ ! -e "$OUT/net.dat" ] || break
	[ ! -e "$OUT/net.dat" ] || let_readers_run
	before=$(dropped)
	is "$(delivered B 9000 lossy $detail)" "received $count, late 0, twice 0" "$detail: all came"
	thrown=$(($(dropped) - before))
	[ "$thrown" -ge "$count" ] || fail "only $thrown were dropped"
	has "$(cat "$OUT/said")" ' entries recorded, [1-9][0-9]* lost' "$detail: entries are lost"
	has "$(trace-cmd report-skb --list -i "$OUT/$detail.dat" 2>&1)" '^lost on CPU 0 (before|between) .* entries(, not counted)?$' "$detail: report-skb says where"
	trace-cmd report-skb -i "$OUT/$detail.dat" --json 2>/dev/null | awk -f "$here/fates.awk" >"$OUT/fates"
	is "$(grep ':9000' "$OUT/fates" | grep -Ev -m 3 $'\t(delivered|unknown)$')" "" "$detail: delivered, or unknown"
	is "$(grep ':9001' "$OUT/fates" | grep -Ev -m 3 $'\t(dropped NETFILTER_DROP|unknown)$')" "" "$detail: dropped, or unknown"
	unknown=$((unknown + $(grep -c $'\tunknown$' "$OUT/fates" || :)))
	[ "$(grep -c $'\tdropped NETFILTER_DROP$' "$OUT/fates")" -le "$thrown" ] || fail "$detail: more are dropped than were"
	ok "$detail: $(cut -f 2 "$OUT/fates" | sort | uniq -c | tr -s ' \n' ' ')"
done
[ "$unknown" -gt 0 ] || fail "of all packets everything is known"
