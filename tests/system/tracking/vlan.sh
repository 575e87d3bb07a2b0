#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: exactly the packets on VLANs are recorded on their whole path, with the tag in the skb or in the packet
# requires: tcpdump ethtool
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/overlays.sh"
. "$here/tap.sh"

two_namespaces
traffic=$(program traffic)
# Make the VLANs 5 and 6, and the VLAN 7 inside VLAN 6.
vlans 5 6 7@6
for net in 5 7; do
	wait_for "VLAN $net" in_a ping -c 1 -W 1 10.$net.0.2
done
echo_server B 9000 7001
count=20

# exchange COMMAND…: make connections without a VLAN, through one VLAN, and through two VLANs. Then send
# datagrams through two VLANs, and print how they arrived. COMMAND starts all of this; it is env or a
# recorder.
exchange() {
	delivered B 9000 in_a "$@" bash -c '
		for to in 10.9.0.2 10.5.0.2 10.7.0.2; do "$0" talk $to 1 9000 7001 || exit; done
		"$0" number 10.7.0.2 9000 '$count' && over 9000' "$traffic"
}

# record: record exchange(), with captures in B
record() {
	local wanted="received $count, late 0, twice 0"
	is "$(exchange env)" "$wanted" "without recording"
	tap B vb
	tap B vb.5
	tap B vb.7
	is "$(exchange trace-cmd record-skb "${few[@]}" -l 'vlan_*' -l 'udp*' -b 16384 -o "$OUT/trace.dat" -p 9000 --)" \
		"$wanted" "recorded"
	taps_end
	nothing_lost "$OUT/said"
	balanced "$OUT/trace.dat"
	read_trace "$OUT/trace.dat"
}

# of_vlan NET: check that each packet of this VLAN has the same number at all places
of_vlan() {
	as_tapped ip_rcv B "vb.$1" 'dst port 9000'
	[ "$tapped" -ge 4 ] || fail "only $tapped packets"
	local numbers
	numbers=$(numbers_at ip_output "> 10\.$1\.0\.2:9000 .* dev=va\.$1 ")
	is "$(wc -l <<<"$numbers")" "$tapped" "packets sent to VLAN $1"
	is "$(numbers_at dev_hard_start_xmit " dev=va len=|> 10\.$1\.0\.2:9000 .* dev=va\.$1 ")" "$numbers" \
		"on VLAN $1's device"
	is "$(numbers_at veth_xmit ' dev=va ' | grep -Fxc "$numbers")" "$tapped" "on the device below"
	is "$(numbers_at 'tcp_v4_rcv|udp_rcv' "> 10\.$1\.0\.2:9000 .* dev=vb\.$1 ")" "$numbers" "the same numbers at the receiver"
}

record
of_vlan 5
of_vlan 7
as_tapped ip_rcv B vb 'dst port 9000'
has_not "$(cat "$OUT/report")" ':7001\b' "unrelated connections"

for ns in A B; do
	ip netns exec $ns ethtool -K v${ns,} txvlan off rxvlan off >/dev/null
done
record
of_vlan 5
of_vlan 7
has_not "$(cat "$OUT/report")" ':7001\b' "unrelated connections, with tags in the packets"
