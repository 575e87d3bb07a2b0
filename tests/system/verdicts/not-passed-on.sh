#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: packets that a virtual device cannot pass on are not said to be sent: a tunnel without a route, and ifb without a redirect
# requires: jq

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B; A has tunnels to 198.51.100.9, to which it has no route
. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
# The modules make devices in each namespace.
at_exit wait_for "the end of the modules" modprobe -r sit ip_gre
two_namespaces
neighbours_known
modprobe ifb numifbs=0
number=0

# add NAME LINK…: add a device to A, with the address 10.NUMBER.0.1. A device with link-layer addresses gets the neighbour
# 10.NUMBER.0.2; sit needs none.
add() {
	number=$((number + 1))
	ip -n A link add "$1" type "${@:2}" || fail "no device $1"
	ip -n A address add "10.$((60 + number)).0.1/24" dev "$1"
	ip -n A link set "$1" up
	[ "$2" = sit ] || ip -n A neighbour add "10.$((60 + number)).0.2" lladdr 02:00:00:00:00:02 dev "$1" || fail "no neighbour on $1"
}
# failed NAME: the errors and drops that the device has counted
failed() { ip -n A -s -j link show dev "$1" | jq '.[0].stats64 | .tx.errors + .tx.dropped + .tx.carrier_errors + .rx.dropped'; }

# is_not_sent NAME: send three datagrams by the device, and check their verdicts
is_not_sent() {
	local before
	before=$(failed "$1")
	trace-cmd record-skb -o a.dat -p 9000 -- ip netns exec A bash -c "for i in 1 2 3; do echo x >/dev/udp/10.$((60 + number)).0.2/9000; done" >out 2>said
	nothing_lost said
	[ $(($(failed "$1") - before)) -ge 3 ] || fail "$1 has counted $(($(failed "$1") - before)) packets"
	trace-cmd report-skb -i a.dat --list >list 2>/dev/null
	cat list
	trace-cmd report-skb -i a.dat --json 2>/dev/null | jq -r 'select(.type == "packet") | .verdict' | sort | uniq -c >verdicts
	has_not "$(cat verdicts)" 'sent|forwarded|delivered' "$1: the verdicts"
	has_not "$(trace-cmd report-skb -i a.dat 2>/dev/null)" '^Nothing was dropped' "$1: the finding"
}
add gnv0 geneve id 7 remote 198.51.100.9
is_not_sent gnv0
add vx0 vxlan id 7 remote 198.51.100.9 dstport 4789
is_not_sent vx0
add gre0a gretap remote 198.51.100.9 local 10.9.0.1
is_not_sent gre0a
add ifb9 ifb
is_not_sent ifb9
add sit9 sit remote 198.51.100.9 local 10.9.0.1 mode any
is_not_sent sit9
