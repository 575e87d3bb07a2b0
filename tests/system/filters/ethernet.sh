#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: filter expressions on layer 2 match exactly the right frames: arp, ether src, vlan (with the tag in or outside the frame)
# requires: tcpdump ethtool
# tags: slow
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/overlays.sh"
. "$here/tap.sh"

two_namespaces
vlans 5 6
traffic=$(program traffic)
echo_server B 9000
count=20

# B has permanent entries for A's addresses, and A's entries for B are flushed before each exchange. So A
# sends one ARP request on each network, and B sends none.
mac=$(in_a cat /sys/class/net/va/address)
for net in 9 5 6; do
	in_b ip neigh replace "10.$net.0.1" lladdr "$mac" nud permanent dev \
		"$( [ $net = 9 ] && echo vb || echo vb.$net)"
done

# exchange COMMAND…: send the traffic of this test, and print how the datagrams arrived. A script makes a
# connection on each network, and sends datagrams on one of them. COMMAND starts the script; it is env or a
# recorder.
exchange() {
	delivered B 9000 in_a "$@" bash -c '
		for to in 10.9.0.2 10.5.0.2 10.6.0.2; do "$0" talk $to 1 9000 || exit; done
		"$0" number 10.5.0.2 9000 '$count' && over 9000' "$traffic"
}
wanted="received $count, late 0, twice 0"
is "$(exchange env)" "$wanted" "without recording"

# record EXPRESSION: record the traffic of exchange() with this filter
record() {
	in_a ip neigh flush all
	tap B vb
	is "$(exchange trace-cmd record-skb "${few[@]}" -l 'arp_*' -b 16384 -o "$OUT/trace.dat" "$1" --)" "$wanted" \
		"recorded: $1"
	taps_end
	nothing_lost "$OUT/said"
	balanced "$OUT/trace.dat"
	read_trace "$OUT/trace.dat"
}
# tapped_frames EXPRESSION: print how many frames that match EXPRESSION tcpdump saw
tapped_frames() {
	tcpdump -r "$OUT/B.vb.pcap" -nn -t "$1" 2>/dev/null | wc -l
}
# frames: print how many frames were recorded on vb, in both directions
frames() {
	{ numbers_at __netif_receive_skb " dev=vb "; numbers_at veth_xmit " dev=vb "; } | wc -l
}

record arp
is "$(frames)" "$(tapped_frames 'arp or (vlan and arp)')" "ARP packets"
is "$(frames)" 6 "a question and an answer for each network"
[ "$(numbers_at arp_rcv ' dev=vb ' | wc -l)" -ge 1 ] || fail "no request arrived"
is "$(grep ' packet: ' "$OUT/raw" | grep -vc ' ethertype=2054 ')" 0 "other packets"
has "$(cat "$OUT/report")" "$(line_of arp_rcv '# arp')" "a line says arp"

record "ether src $mac and ip"
is "$(frames)" "$(tapped_frames "(ether src $mac and ip) or (vlan and ether src $mac and ip)")" \
	"frames from A's address"
is "$(numbers_at ip_rcv | wc -l)" "$(numbers_at 'tcp_v4_rcv|udp_rcv' | wc -l)" "recorded IP packets, all of TCP or UDP"
only ' (tcp|udp) 10\.[956]\.0\.1:[0-9]+ > 10\.[956]\.0\.2:9000 '

for where in beside in; do
	record 'vlan 5 and tcp'
	is "$(frames)" "$(tapped_frames 'vlan 5 and tcp')" "frames of VLAN 5, the tag $where them"
	[ "$(numbers_at tcp_v4_rcv ' dev=vb\.5 ' | wc -l)" -ge 4 ] || fail "they did not arrive in VLAN 5"
	has_not "$(cat "$OUT/report")" '10\.[69]\.0\.[12]\b' "packets of other networks"
	in_a ethtool -K va txvlan off rxvlan off >/dev/null
	in_b ethtool -K vb txvlan off rxvlan off >/dev/null
done
