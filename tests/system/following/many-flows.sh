#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: with more clients than the flow table can hold, new clients are recorded, and the flows that were idle longest are given up
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

traffic=$(program traffic)
ioctl=$(program ioctl)
two_namespaces
modprobe record_skb
# The server sleeps in a gate, so the module can be unloaded only after the server has left the gate.
unloaded() { ! grep -q "^record_skb " /proc/modules || modprobe -r record_skb 2>/dev/null; }
at_exit wait_for "the module's end" unloaded

# The server sends no answers, so all packets are from clients.
ip netns exec B "$traffic" hoard 9000 2304 &
server=$!
at_exit stop $server
wait_for "the server" udp_listening B 9000
coproc recorder { "$ioctl" follow "$server"; }
at_exit stop $!
wait_for "matching" armed

# seen: set $packets to the number of matching packets, and $given_up to the number of flows that the module
# gave up
seen() {
	echo >&"${recorder[1]}"
	read -r packets given_up <&"${recorder[0]}"
}

# clients COUNT FIRST: send one packet from each of COUNT ports, beginning with FIRST. Each packet must match.
clients() {
	local before
	seen
	before=$packets
	in_a "$traffic" crowd 10.9.0.2 9000 "$1" "$2"
	seen
	[ $((packets - before)) = "$1" ] || fail "of $1 clients from port $2 on, $((packets - before)) were recorded"
}

clients 20 2000
is "$given_up" 0 "flows given up while there is room"
# The flow table has room for 32,768 flows. In each turn, 5000 new clients send one packet each, and then
# the client with port 9999 sends a packet. The flow of this client stays active, so the module must not
# give it up.
for turn in 1 2 3 4 5 6 7 8; do
	clients 5000 $((turn * 5000 + 10000))
	before=$given_up
	clients 1 9999
	[ "$turn" = 1 ] || is "$given_up" "$before" "turn $turn: flows given up although they are active"
done
[ "$given_up" -ge $((40000 - 32768)) ] || fail "only $given_up flows given up"
ok "$given_up flows are given up, and counted"
clients 100 3000
ok "later clients are recorded"
before=$given_up
clients 20 2000
[ "$given_up" -gt "$before" ] || fail "the first ones are still there"
ok "the flows that were idle longest were given up: $((given_up - before)) of the first 20 are new"
