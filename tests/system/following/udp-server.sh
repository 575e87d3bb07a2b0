#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a UDP server has one socket for each client on the same port; closing one socket does not end the recording of the port
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"

cd "$OUT"
two_namespaces

clients() {
	local word
	wait_for "the server of UDP" udp_listening A 9300
	for word in one two; do
		ip netns exec B bash -c "exec 3<>/dev/udp/10.9.0.1/9300; echo $word >&3; head -n 1 <&3"
	done
	touch answered
}
clients >clients.log 2>&1 &
clients=$!
is "$(followed A udp -- bash -c 'socat UDP-LISTEN:9300,fork,reuseaddr EXEC:"head -n 1" & until [ -e answered ]; do sleep 0.1; done; kill $!')" 0 \
	"a server of UDP: exit status"
wait "$clients" || fail "the clients: $(cat clients.log)"
is "$(cat clients.log)" "one
two" "two clients of UDP"
nothing_lost udp.said
trace-cmd report -i udp.dat >report
is "$(grep -c ' packet: .* ip_rcv .* > .*:9300 flags=' report)" 2 "the requests of both"
