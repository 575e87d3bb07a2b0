#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a server as the command: its clients are recorded from their first SYN on, other users of the same port elsewhere are not
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"

cd "$OUT"
two_namespaces
noise_servers B
echo_server B 9000
tasks=$(program tasks)
traffic=$(program traffic)
noise
# Unrelated processes use the same port number as the server, so that a wrong match would show: a client in A, a
# client in B, and a server in B after the recorded one has ended.
ip netns exec A "$traffic" chat 10.9.0.2 9000 &
noise+=" $!"
at_exit stop $!
ip netns exec B "$traffic" chat 127.0.0.1 9000 &
noise+=" $!"
at_exit stop $!

cat >command <<'END'
"$1" serve 9000 2
# Another server has the port now. It is not a child of the command.
touch free
until [ -e used ]; do sleep 0.1; done
END
again() {
	until [ -e free ]; do sleep 0.1; done
	ip netns exec A "$tasks" serve 9000 1 &
	wait_for "the other server" listening A 9000
	in_b "$tasks" fetch 10.9.0.1 9000
	wait
	touch used
}
clients() {
	wait_for "the server" listening A 9000
	in_b "$tasks" fetch 10.9.0.1 9000
	in_a "$tasks" fetch 127.0.0.1 9000
	again
}
clients >clients.log 2>&1 &
clients=$!
is "$(followed A server -- bash command "$tasks")" 0 "exit status"
wait "$clients" || fail "the clients: $(cat clients.log)"
nothing_lost server.said
nothing_of_noise server.dat

from_b="10\.9\.0\.2:[0-9]+ > 10\.9\.0\.1:9000"
to_b="10\.9\.0\.1:9000 > 10\.9\.0\.2:[0-9]+"
in_order report __sys_socket=call __sys_bind=call __sys_listen="call tcp \*:9000 > \*" \
	"ip_rcv=#[0-9]+ tcp $from_b" "tcp_v4_rcv=#[0-9]+ tcp $from_b" \
	"ip_output=#[0-9]+ tcp $to_b" "veth_xmit=#[0-9]+ tcp $to_b" \
	"__sys_recvfrom=call tcp $to_b" "__sys_sendto=call tcp $to_b" "ip_output=#[0-9]+ tcp $to_b" \
	"ip_rcv=#[0-9]+ tcp 127\.0\.0\.1:[0-9]+ > 127\.0\.0\.1:9000" \
	"__sys_sendto=call tcp 127\.0\.0\.1:9000 > 127\.0\.0\.1:[0-9]+"
has "$(cat report)" '__sys_accept4\(\).*call tcp \*:9000 > \*' "accept"

# Two connections, and each begins with its SYN.
is "$(what begins raw)" "2 10.9.0.1:9000
2 127.0.0.1:9000" "two connections, each from its SYN on"

# other NAME LISTENER ADDRESS OTHER SHOWN: record a server on port 9200 whose client connects to ADDRESS, which
# the report shows as SHOWN. First, a client connects to OTHER, on another host.
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
# Java binds to IPv4 addresses in this way.
other ipv4-mapped-address 'TCP6-LISTEN:9200,bind=[::ffff:10.9.0.1],ipv6only=0' 10.9.0.1 10.9.0.2 10.9.0.1

# UDP servers that have one socket for each client, on the same port: closing one socket does not end the port.
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
