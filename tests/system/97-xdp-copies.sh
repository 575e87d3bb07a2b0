#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: where XDP puts a packet into another skb it is the same packet, and what it drops is dropped
# requires: nft ethtool
# timeout: 300

. "$(dirname "$0")/lib.sh"

two_namespaces
traffic=$(program traffic)
xdp=$(program xdp)
echo_server B 9000
for ns in A B; do
	ip netns exec $ns nft -f - <<-END
		table ip witness {
			counter come { }
			chain in {
				type filter hook input priority 0;
				tcp dport 9000 counter name come
				tcp sport 9000 counter name come
			}
		}
	END
done
counted() {
	echo $(($(packets_of A ip witness come) + $(packets_of B ip witness come)))
}
xdp_dropped() {
	in_b ethtool -S vb | awk '/xdp_drops/ { n += $2 } END { print n }'
}

for mode in generic native; do
	rm -f "$OUT/attached"
	ip netns exec B "$xdp" $mode drop vb 9001 >"$OUT/attached" &
	program=$!
	at_exit stop $program
	wait_for "XDP, $mode" grep -q attached "$OUT/attached"
	was=$(counted)
	trace-cmd record-skb --detail net -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
	recording=$!
	at_exit stop $recording
	wait_for "the recording" armed
	in_a "$traffic" talk 10.9.0.2 3 9000
	over() { ! in_b ss -Htan state connected | grep -q ':9000 '; }
	wait_for "the end of all connections" over
	kill -INT $recording
	wait $recording
	nothing_lost "$OUT/said"
	balanced "$OUT/trace.dat"
	is "$(sed -n 's/ packets matched.*//p' "$OUT/said")" $(($(counted) - was)) "$mode: packets, as nft counts them"
	trace-cmd report-skb -i "$OUT/trace.dat" >"$OUT/packets"
	cat "$OUT/packets"
	has_not "$(cat "$OUT/packets")" "unknown" "$mode: and each has a verdict"

	# Dropped by a thread of the device's own, in no graph of the packet's.
	[ $mode != native ] || in_b sh -c 'echo 1 >/sys/class/net/vb/threaded'
	want=$(($(xdp_dropped) + 3))
	trace-cmd record-skb --detail full -o "$OUT/trace.dat" -p 9001 2>"$OUT/said" &
	recording=$!
	at_exit stop $recording
	wait_for "the recording" armed
	in_a bash -c 'for _ in 1 2 3; do echo x >/dev/udp/10.9.0.2/9001; done'
	# The driver counts what its own program drops.
	dropped() { [ "$mode" != native ] || [ "$(xdp_dropped)" = "$want" ]; }
	wait_for "the drops" dropped
	kill -INT $recording
	wait $recording
	stop $program
	nothing_lost "$OUT/said"
	trace-cmd report-skb --verdict dropped -i "$OUT/trace.dat" >"$OUT/packets"
	cat "$OUT/packets"
	is "$(grep -cE '^ +[0-9]+ .* dropped in ' "$OUT/packets")" 3 "$mode: dropped, as the report says"
done
