#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a server listens on an IPv6, IPv4-mapped or wildcard address: its own client is recorded, and a client of another server is not
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"

cd "$OUT"
two_namespaces

# other NAME LISTENER ADDRESS OTHER SHOWN: record a server on port 9200 of A. First a client in A connects
# to OTHER, which is a server in B. Then a client in B connects to ADDRESS, which is the recorded server.
# Only the SYN of the second client must be recorded. The report must show the destination of this SYN as
# SHOWN.
server B 9200
other() {
	local name=$1 clients
	others() {
		wait_for "the server $name" listening A 9200
		client A "$2" 9200 hello
		client B "$1" 9200 hello
	}
	others "$3" "$4" >"$name.log" 2>&1 &
	clients=$!
	is "$(followed A "$name" -- socat "$2" PIPE)" 0 "$name: exit status"
	wait "$clients" || fail "$name: the clients: $(cat "$name.log")"
	is "$(grep -c '^hello$' "$name.log")" 2 "$name: two clients"
	nothing_lost "$name.said"
	balanced "$name.dat"
	trace-cmd report -i "$name.dat" >report
	is "$(sed -n 's/.* packet: .* > \(.*\):9200 flags=S .*/\1/p' report | sort -u)" "$5" "$name: the SYNs of its client"
	has "$(cat report)" "__sys_accept4\\(\\).*call tcp (\\*|10\\.9\\.0\\.1):9200 > \\*" "$name: accept"
}
other ipv6 TCP6-LISTEN:9200,ipv6only=1 fd09::1 fd09::2 '[fd09::1]'
other ipv4-mapped TCP6-LISTEN:9200,ipv6only=0 10.9.0.1 10.9.0.2 10.9.0.1
# Java binds to IPv4 addresses through IPv4-mapped addresses.
other ipv4-mapped-address 'TCP6-LISTEN:9200,bind=[::ffff:10.9.0.1],ipv6only=0' 10.9.0.1 10.9.0.2 10.9.0.1
