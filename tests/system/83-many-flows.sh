#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: more clients than the table of flows has room for: later ones are recorded, those not seen for longest given up
# timeout: 300

. "$(dirname "$0")/lib.sh"

traffic=$(program traffic)
ioctl=$(program ioctl)
two_namespaces
modprobe record_skb
# The server, asleep in a gate, holds it until it has left.
unloaded() { ! grep -q "^record_skb " /proc/modules || modprobe -r record_skb 2>/dev/null; }
at_exit wait_for "the module's end" unloaded

# A server that answers nobody: each of its packets is a client's.
ip netns exec B "$traffic" hoard 9000 2304 &
server=$!
at_exit stop $server
wait_for "the server" udp_listening B 9000
coproc recorder { "$ioctl" follow "$server"; }
at_exit stop $!
wait_for "matching" armed

# seen: sets $packets that have matched, and $given_up flows.
seen() {
	echo >&"${recorder[1]}"
	read -r packets given_up <&"${recorder[0]}"
}

# clients COUNT FIRST: a packet each from so many ports, FIRST and those behind it. All of them have to match.
clients() {
	local before
	seen
	before=$packets
	in_a "$traffic" crowd 10.9.0.2 9000 "$1" "$2"
	seen
	[ $((packets - before)) = "$1" ] || fail "of $1 clients from port $2 on, $((packets - before)) were recorded"
}

clients 20 2000
is "$given_up" 0 "there is room: flows given up"
# One goes on meanwhile, in each turn. The table has room for 32,768.
for turn in 1 2 3 4 5 6 7 8; do
	clients 5000 $((turn * 5000 + 10000))
	before=$given_up
	clients 1 9999
	[ "$turn" = 1 ] || is "$given_up" "$before" "turn $turn: who goes on is not given up"
done
[ "$given_up" -ge $((40000 - 32768)) ] || fail "only $given_up flows given up"
ok "$given_up flows are given up, and counted"
clients 100 3000
ok "who comes later is recorded"
before=$given_up
clients 20 2000
[ "$given_up" -gt "$before" ] || fail "the first ones are still there"
ok "who was not seen for longest was given up: $((given_up - before)) of the first 20 are new"
