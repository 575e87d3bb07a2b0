#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: fragments made by the sender or by a router have the packet's number, and so has the reassembled packet
# requires: tcpdump
# timeout: 240

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"

three_namespaces
traffic=$(program traffic)
count=20
# A sends three fragments, and the router divides each into two or three.
size=4000
ip -n R link set rb mtu 1300
ip -n B link set vb mtu 1300
ip -n A -6 route change default via fd09::fe mtu 1300
# Unrelated traffic goes to this address: with the same address, it could have the identification of a matching
# datagram.
ip -n B addr add 10.8.0.3/24 dev vb

# exchange COMMAND…: send datagrams of both families as the command of COMMAND, and print how they arrived.
exchange() {
	in_b "$traffic" collect 9000 >"$OUT/came.4" &
	local four=$!
	at_exit stop $four
	in_b "$traffic" -6 collect 9006 >"$OUT/came.6" &
	local six=$!
	at_exit stop $six
	wait_for "the collectors" eval "[ \$(in_b ss -Hlun 'sport = :9000 or sport = :9006' | wc -l) = 2 ]"
	in_a "$@" bash -c '"$0" number 10.8.0.3 7000 3 4000; "$0" number 10.8.0.2 9000 '"$count $size"'
		"$0" number fd08::2 9006 '"$count $size" "$traffic" 2>"$OUT/said" || fail "$*: $(cat "$OUT/said")"
	wait $four
	wait $six
	cat "$OUT/came.4" "$OUT/came.6"
}

wanted="received $count, late 0, twice 0
received $count, late 0, twice 0"
is "$(exchange env)" "$wanted" "without recording"
tap A va
tap B vb
# Port 9000 matches. The fragments of other datagrams have no ports to tell them apart.
is "$(exchange trace-cmd record-skb "${few[@]}" -l 'ip6*' -l 'udp*' -b 16384 \
	-o "$OUT/trace.dat" 'port 9000 or port 9006' --)" \
	"$wanted" "recorded"
taps_end
nothing_lost "$OUT/said"
balanced "$OUT/trace.dat"
read_trace "$OUT/trace.dat"

# The captured datagrams: their first fragments have ports, and the others have the same identification.
ids=$(tcpdump -r "$OUT/B.vb.pcap" -nn -t -v 'ip and dst port 9000' 2>/dev/null | sed -n 's/.* id \([0-9]*\),.*/\1/p' | sort -u)
is "$(wc -l <<<"$ids")" $((count + 5)) "datagrams"
as_tapped ip_rcv B vb "ip dst 10.8.0.2 and ( ip[4:2] = $(tr '\n' ' ' <<<"$ids" | sed 's/ $//; s/ / or ip[4:2] = /g') )"
is "$tapped" $((count * 5 + 5)) "packets they came in"
[ "$(tapped B vb 'ip[6:2] & 0x1fff != 0' | wc -l)" -gt $((count * 4)) ] || fail \
	"there were no unrelated fragments"
as_tapped ipv6_rcv B vb 'ip6 and (ip6[6] = 17 or ip6[6] = 44)'
is "$tapped" $((count * 4 + 5)) "packets of the IPv6 datagrams"

# numbered POINT PATTERN: print "NUMBER TIMES" for the packets at POINT
numbered() {
	sed -n "s/.* packet: *#\([0-9]*\) $1 \(.*\)/\1 \2/p" "$OUT/report" | grep -E -e "$2" | cut -d ' ' -f 1 | sort -n | uniq -c |
		awk '{ print $2, $1 }'
}
# each TIMES: print the numbers of the sent packets, each with TIMES
each() {
	sed "s/$/ $1/" <<<"$sent"
}
sent=$(numbers_at __ip_local_out 'udp 10\.9\.0\.1:[0-9]+ > 10\.8\.0\.2:9000 .* len=4028 ')
is "$(wc -l <<<"$sent")" "$count" "datagrams sent"
is "$(numbered veth_xmit ' > 10\.8\.0\.2.* len=(1514|1082) dev=va ')" "$(each 3)" \
	"their fragments at A's device"
is "$(numbered ip_forward ' > 10\.8\.0\.2.* len=(1500|1068) dev=ra ')" "$(each 3)" "at the router"
is "$(numbered veth_xmit ' > 10\.8\.0\.2.* len=[0-9]* dev=rb ' | grep -Fx -e "$(each 5)")" "$(each 5)" \
	"cut again"
is "$(numbered ip_rcv ' > 10\.8\.0\.2.* len=[0-9]* dev=vb ' | grep -Fx -e "$(each 5)")" "$(each 5)" "in B"
is "$(numbered ip_defrag ' > 10\.8\.0\.2')" "$(each 5)" "where they are put together"
is "$(numbered udp_rcv 'udp 10\.9\.0\.1:[0-9]+ > 10\.8\.0\.2:9000 .* len=4008 ')" "$(each 1)" "and the whole"

sent=$(numbers_at __ip6_local_out 'udp \[fd09::1\]:[0-9]+ > \[fd08::2\]:9006 .* len=4048 ')
is "$(wc -l <<<"$sent")" "$count" "datagrams sent by IPv6"
is "$(numbered veth_xmit '\[?fd08::2.* dev=va ' | grep -Fx -e "$(each 4)")" "$(each 4)" \
	"their fragments at A's device"
is "$(numbered ip6_forward '> \[?fd08::2' | grep -Fx -e "$(each 4)")" "$(each 4)" "at the router"
is "$(numbered ipv6_frag_rcv '')" "$(each 4)" "where they are put together"
is "$(numbered udpv6_rcv 'udp \[fd09::1\]:[0-9]+ > \[fd08::2\]:9006 .* len=4008 ')" "$(each 1)" \
	"and the whole"
only '10\.9\.0\.1.* > 10\.8\.0\.2|fd09::1.* > \[?fd08::2'
has_not "$(cat "$OUT/report")" ':7000\b' "unrelated packets"

# A fragment without the ICMP header cannot be shown as an echo reply.
is "$(status_of in_a trace-cmd record-skb "${few[@]}" -o "$OUT/ping.dat" 'icmp or icmp6' -- \
	sh -c 'ping -c 1 -s 4000 10.8.0.2; ping -c 1 -s 4000 fd08::2')" 0 "pings in fragments"
trace-cmd report -i "$OUT/ping.dat" 2>/dev/null >"$OUT/pings"
trace-cmd report-skb --list -i "$OUT/ping.dat" >>"$OUT/pings" 2>/dev/null
for address in '10\.9\.0\.1' fd09::1; do
	has "$(cat "$OUT/pings")" "icmp(v6)? $address > [^ ]* echo request id [1-9]" "$address asks"
	has "$(cat "$OUT/pings")" "(icmp|icmpv6) $address > [^ ]*( +-| *[*]/)" "its later fragments"
	is "$(grep -E "icmp(v6)? $address > [^ ]* (echo reply|type )" "$OUT/pings" || :)" "" "fragments that are shown with a type"
done
