#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: on a kernel without BTF, packets that a socket received have the verdict "delivered", and never "consumed"
# tags: long
# requires: nft socat

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
in_b nft -f - <<'END'
table ip witness {
	counter arrived { }
	chain in {
		type filter hook input priority 0;
		udp dport 9000 counter name arrived
	}
}
END
# Hide BTF from the module, which reads the file with the rights of trace-cmd. Then hide its directory from trace-cmd.
# Modules that other tests have loaded have BTF of their own.
if [ -e /sys/kernel/btf/vmlinux ]; then
	chmod 0 /sys/kernel/btf/*
	at_exit sh -c 'chmod 444 /sys/kernel/btf/*'
fi
mount -t tmpfs none /sys/kernel/btf 2>/dev/null || mkdir -p /sys/kernel/btf
at_exit umount /sys/kernel/btf
any_file=-dac_override,-dac_read_search
background ip netns exec B socat -u UDP-RECV:9000 "CREATE:$OUT/got"
wait_for "the reader" udp_listening B 9000

cat >"$OUT/command" <<'END'
for i in 1 2 3 4 5; do
	echo $i >/dev/udp/10.9.0.2/9000
done
sleep 1
END
setpriv --bounding-set $any_file --inh-caps $any_file \
	trace-cmd record-skb --detail path -o "$OUT/trace.dat" -p 9000 -- ip netns exec A bash "$OUT/command" \
	>"$OUT/printed" 2>"$OUT/said" || fail "$(cat "$OUT/said")"
nothing_lost "$OUT/said"
has_not "$(cat "$OUT/said")" 'other arguments' "probe points that are left out"
is "$(wc -l <"$OUT/got")" 5 "the reader has them all"
is "$(in_b nft list counter ip witness arrived | sed -n 's/.*packets \([0-9]*\) .*/\1/p')" 5 "nft counts five"
trace-cmd report-skb --json "$OUT/trace.dat" 2>"$OUT/report" >"$OUT/json"
is "$(grep '"type":"packet"' "$OUT/json" | grep -o '"verdict":{"what":"[a-z]*"' | sort | uniq -c | tr -s ' ')" \
	' 5 "verdict":{"what":"delivered"' "report-skb: the socket got five"
