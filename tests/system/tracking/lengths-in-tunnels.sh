#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: for packets inside and around VXLAN, GRE, IPIP and WireGuard, LEN fits the headers in FLOW; tshark is the witness
# tags: long
# requires: ping tcpdump tshark wg
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
#          A (10.42.0.1) x42 --- x42 (10.42.0.2) B, also x43, x44 and wg0 (10.7.0.1, 10.7.0.2)
. "$(dirname "$0")/../lib/lib.sh"
. "$here/overlays.sh"
for module in ip_gre ipip; do
	modprobe $module
	at_exit modprobe -r $module
done
two_namespaces
wireguard
# tunnel_at NET KIND ARG…: make a tunnel from xNET in A to xNET in B, with the addresses 10.NET.0.1 and 10.NET.0.2
tunnel_at() {
	local ns n
	for ns in A B; do
		[ $ns = A ] && n=1 || n=2
		ip -n $ns -batch - <<-END
			link add x$1 type ${*:2} local 10.9.0.$n remote 10.9.0.$((3 - n)) dev v${ns,}
			address add 10.$1.0.$n/24 dev x$1
			link set x$1 up
		END
	done
	wait_for "the tunnel" in_a ping -q -c 1 -W 1 "10.$1.0.2"
}
tunnel_at 42 vxlan id 42 dstport 4789
tunnel_at 43 gre
tunnel_at 44 ipip

# Capture on all devices, to get the packets on the link and the packets that leave the tunnels.
in_b tcpdump --immediate-mode -U -s 2000 -i any -w "$OUT/pcap" ip 2>"$OUT/tcpdump" &
at_exit stop $!
wait_for "tcpdump" grep -q 'listening on' "$OUT/tcpdump"

# lengths TRACE: print the source, the destination and LEN of each IPv4 packet. The kernel sends some IPv6
# packets on its own, so leave them out.
lengths() {
	trace-cmd report-skb --json -i "$1" 2>/dev/null | grep '^{"type":"packet"' |
		sed -nE 's/.*"source":\{"address":"([0-9.]*)".*"destination":\{"address":"([0-9.]*)".*"length":([0-9]*).*/\1 \2 \3/p'
}
size=100
# record NAME NET FILTER: make two recordings of pings through a tunnel. The first one has the packets of
# the ping command, which are inside the tunnel. The second one has the outer packets of the tunnel, which
# match FILTER.
record() {
	local recorder
	size=$((size + 4))
	trace-cmd record-skb --detail path -o "$OUT/$1.inside" -- ip netns exec A ping -q -c 2 -i 0.2 -s $size "10.$2.0.2" \
		>"$OUT/ping" 2>"$OUT/said" || fail "$(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	trace-cmd record-skb --detail path -o "$OUT/$1.around" "$3" 2>"$OUT/said" &
	recorder=$!
	wait_for "matching" armed
	in_a ping -q -c 2 -i 0.2 -s $size "10.$2.0.2" >"$OUT/ping"
	kill -INT $recorder
	wait $recorder || fail "$(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	# Inside the tunnel, each ping has a known length. The outer packets are longer, because they have
	# more headers.
	is "$(lengths "$OUT/$1.inside" | sort | uniq -c | tr -s ' ')" " 2 10.$2.0.1 10.$2.0.2 $((size + 28))
 2 10.$2.0.2 10.$2.0.1 $((size + 28))" "$1: LEN of the pings inside"
	lengths "$OUT/$1.around" >"$OUT/around"
	[ "$(awk -v min=$((size + 28)) '$1 ~ /^10\.9\./ && $3 > min' "$OUT/around" | wc -l)" -ge 4 ] ||
		fail "$1: not all packets around: $(cat "$OUT/around")"
	cat "$OUT/around" >>"$OUT/shown"
}
record vxlan 42 "udp port 4789"
record gre 43 "ip proto 47"
record ipip 44 "ip proto 4"
record wireguard 7 "udp port 51820"

pause 0.5
in_b tshark -r "$OUT/pcap" -T fields -E separator=/s -E occurrence=f -e ip.src -e ip.dst -e ip.len 2>/dev/null | sort -u >"$OUT/wire"
[ -s "$OUT/wire" ] || fail "tshark shows nothing"
is "$(sort -u "$OUT/shown" | comm -23 - "$OUT/wire")" "" "LEN around the pings, as tshark shows it"
