#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: exactly the IPv6 packets of TCP and UDP port 9000 are recorded on their whole path, and delivered as without a recording
# requires: tcpdump
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"

two_namespaces
traffic=$(program traffic)
count=60
background in_b "$traffic" -6 echo 9000 7001
wait_for "the server" listening B 9000
in_a ping -q -c 1 fd09::2 >/dev/null
ip netns exec A "$traffic" chat fd09::2 7001 &
chat=$!
at_exit stop $chat

# exchange COMMAND…: run a script that sends packets of TCP and UDP, and print how the packets arrived.
# COMMAND starts the script; it is env or a recorder.
exchange() {
	family=-6 delivered B 9000 in_a "$@" bash -c '
		"$0" talk fd09::2 3 9000 && "$0" number fd09::2 9000 '$count' && over 9000' "$traffic"
}

wanted="received $count, late 0, twice 0"
is "$(exchange env)" "$wanted" "without recording"
tap A va
tap B vb
is "$(exchange trace-cmd record-skb "${few[@]}" -l 'ip6_*' -l 'ipv6_*' -l 'udp*' -b 16384 -o "$OUT/trace.dat" \
	-p 9000 --)" \
	"$wanted" "recorded"
nothing_lost "$OUT/said"
stop $chat
taps_end

balanced "$OUT/trace.dat"
read_trace "$OUT/trace.dat"
# The recording must have exactly the packets of port 9000 that tcpdump saw.
as_tapped ipv6_rcv B vb 'dst port 9000'
to_b=$tapped
as_tapped ipv6_rcv A va 'src port 9000'
to_a=$tapped
[ "$to_b" -ge $((count + 5 + 3 * 4)) ] || fail "there were only $to_b packets to B"
others=$(tapped B vb 'port 7001' | wc -l)
[ "$others" -gt 0 ] || fail "there was no other traffic"
only '\[fd09::[12]\]:9000 '

# Check the path from the sender's socket to the receiver's socket.
is "$(numbers_at __ip6_local_out | wc -l)" $((count + 5)) "packets at __ip6_local_out"
for point in ip6_output __dev_queue_xmit dev_hard_start_xmit veth_xmit __netif_receive_skb ip6_input; do
	is "$(numbers_at $point | wc -l)" $((to_b + to_a)) "packets at $point"
done
is "$(numbers_at udpv6_rcv | wc -l)" $((count + 5)) "packets at udpv6_rcv"
is "$(($(numbers_at udpv6_rcv | wc -l) + $(numbers_at tcp_v6_rcv | wc -l)))" $((to_b + to_a)) \
	"packets at the protocols' functions"

has "$(cat "$OUT/report")" "$(line_of tcp_v6_rcv '#1 tcp [fd09::1]:* > [fd09::2]:9000')" \
	"the TCP packet's flow"
has "$(cat "$OUT/report")" "$(line_of udpv6_rcv '# udp [fd09::1]:* > [fd09::2]:9000')" \
	"the UDP packet's flow"
has_not "$(grep funcgraph_entry "$OUT/report")" ':7001\b' "lines with the unrelated flow"
