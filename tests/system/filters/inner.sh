#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --inner matches packets inside tunnels that the router only forwards: VXLAN, Geneve, GRE, IPIP
# tags: main
# timeout: 240

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B, with tunnels between A and B

. "$(dirname "$0")/../lib/lib.sh"

# Loading a tunnel module makes a device in each namespace.
modules_gone() {
	modprobe -r ip_gre ipip vxlan geneve
}
at_exit wait_for "the modules of tunnels" modules_gone
three_namespaces

# tunnel NUMBER TYPE OPTION…: make a tunnel between A and B with the addresses 10.7.NUMBER.1 and .2
tunnel() {
	local nr=$1 type=$2 a=(local 10.9.0.1) b=(local 10.8.0.2)
	shift 2
	[ "$type" != geneve ] || a=() b=()
	ip -n A link add "t$nr" type "$type" remote 10.8.0.2 "${a[@]}" "$@"
	ip -n B link add "t$nr" type "$type" remote 10.9.0.1 "${b[@]}" "$@"
	ip -n A address add "10.7.$nr.1/24" dev "t$nr"
	ip -n B address add "10.7.$nr.2/24" dev "t$nr"
	ip -n A link set "t$nr" up
	ip -n B link set "t$nr" up
	wait_for "the tunnel $type" in_a ping -c 1 -W 1 "10.7.$nr.2"
}
tunnel 1 vxlan id 7 dstport 4789
tunnel 2 geneve id 7
tunnel 3 gre key 5
tunnel 4 ipip
tunnel 5 gretap

# Send datagrams to ports 5300 and 5301 of B, all of them through R. All except the last datagram go through
# a tunnel. The tunnels use other ports than these.
send_all() {
	local nr
	for nr in 1 2 3 4 5; do
		echo wanted | ip netns exec A socat -u - "UDP-SENDTO:10.7.$nr.2:5300"
		echo other | ip netns exec A socat -u - "UDP-SENDTO:10.7.$nr.2:5301"
	done
	echo plain | ip netns exec A socat -u - UDP-SENDTO:10.8.0.2:5300
}
background ip netns exec B socat -u UDP-RECV:5300 "OPEN:$OUT/received,creat,append"
wait_for "the receiver" udp_listening B 5300

is "$(status_of trace-cmd record-skb --netns R -i any --detail path -o "$OUT/trace.dat" --inner 'udp dst port 5300' -- bash -c "$(declare -f send_all); send_all")" 0 "recorded"
trace-cmd report-skb --list --wide -i "$OUT/trace.dat" >"$OUT/list"
cat "$OUT/list"
has_received() {
	[ "$(wc -l <"$OUT/received")" = 6 ]
}
wait_for "the datagrams in B" has_received
# B received six datagrams. The datagram without a tunnel and the datagrams to port 5301 must not match.
is "$(grep -cE '^ *[0-9]+ .* ra@R > rb > vb@B > t[1-5] ' "$OUT/list")" 5 "tunnel packets with this inner port"
is "$(grep -cE '^ *[0-9]+ .* udp 10\.9\.0\.1:[0-9]+ > 10\.8\.0\.2:4789 ' "$OUT/list")" 1 "VXLAN"
is "$(grep -cE '^ *[0-9]+ .* udp 10\.9\.0\.1:[0-9]+ > 10\.8\.0\.2:6081 ' "$OUT/list")" 1 "Geneve"
is "$(grep -cE '^ *[0-9]+ ' "$OUT/list")" 5 "packets"

is "$(status_of trace-cmd record-skb --netns R -i any --detail path -o "$OUT/trace.dat" --inner 'udp dst port 5300' --proto 4 -- bash -c "$(declare -f send_all); send_all")" 0 "with an option for the outer packet"
is "$(trace-cmd report-skb --list -i "$OUT/trace.dat" | grep -cE '^ *[0-9]+ ')" 1 "only IPIP"
is "$(status_of trace-cmd record-skb --inner 'udp prot 1' -- true)" 125 "an invalid expression"
