#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a packet that XDP copies to another skb stays the same packet, and a packet that XDP drops is shown as dropped
# requires: nft ethtool
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
traffic=$(program traffic)
xdp=$(program xdp)
echo_server B 9000
count_in_both input 'tcp dport 9000' 'tcp sport 9000'
# thrown: print how many packets the driver of vb has dropped. It drops packets for an XDP program, or
# because a redirection failed.
thrown() {
	in_b ethtool -S vb | awk '/drops:/ { n += $2 } END { print n }'
}
attach() {
	rm -f "$OUT/attached"
	ip netns exec B "$xdp" "$1" "$2" vb "$3" >"$OUT/attached" &
	program=$!
	at_exit stop $program
	wait_for "XDP, $1" grep -q attached "$OUT/attached"
}
# three_thrown PORT: send three datagrams to PORT, and check that they are dropped
three_thrown() {
	local want
	want=$(($(thrown) + 3))
	start_recording --detail net -p "$1"
	in_a bash -c 'for _ in 1 2 3; do echo x >/dev/udp/10.9.0.2/"$0"; done' "$1"
	were_thrown() { [ "$mode" != native ] || [ "$(thrown)" = "$want" ]; }
	wait_for "the drops" were_thrown
	stop_recording
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
	cat "$OUT/packets"
}

for mode in generic native; do
	attach $mode drop 9001
	was=$(counted_in_both)
	start_recording --detail net -p 9000
	in_a "$traffic" talk 10.9.0.2 3 9000
	over() { ! in_b ss -Htan state connected | grep -q ':9000 '; }
	wait_for "the end of all connections" over
	stop_recording
	balanced "$OUT/trace.dat"
	is "$(sed -n 's/ packets matched.*//p' "$OUT/said")" $(($(counted_in_both) - was)) "$mode: packets, as nftables counts them"
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
	cat "$OUT/packets"
	has_not "$(cat "$OUT/packets")" "unknown" "$mode: and each has a verdict"

	# With native XDP, a thread of the device drops these packets. The thread is not inside a graph.
	[ $mode != native ] || in_b sh -c 'echo 1 >/sys/class/net/vb/threaded'
	three_thrown 9001
	stop $program
	is "$(grep -cE "^ +[0-9]+ .* dropped by XDP program \\(id [0-9]+\\) on vb" "$OUT/packets")" 3 "$mode: dropped packets in the report"

	# The kernel may copy a packet to a new buffer for the XDP program. It does not report when it drops
	# this buffer.
	attach $mode redirect 9002
	three_thrown 9002
	stop $program
	case $mode in
	generic) wanted="dropped in " ;;
	native) wanted="unknown, last seen in veth_xmit" ;;
	esac
	is "$(grep -cE "^ +[0-9]+ .* $wanted" "$OUT/packets")" 3 "$mode: packets that cannot be redirected are $wanted"
done
