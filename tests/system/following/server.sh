#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if the command is a server, its clients are recorded from their first SYN on, and other users of the same port are not
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
# Three unrelated processes use port 9000, too: a client in A, a client in B, and another server in A after
# the recorded server has ended. If record-skb matched their packets, this test would show it.
ip netns exec A "$traffic" chat 10.9.0.2 9000 &
noise+=" $!"
at_exit stop $!
ip netns exec B "$traffic" chat 127.0.0.1 9000 &
noise+=" $!"
at_exit stop $!

cat >command <<'END'
"$1" serve 9000 2
# Now let another server, which is not a child of the command, use the port.
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

# Each of the two connections must begin with its SYN.
is "$(list_followed begins raw)" "2 10.9.0.1:9000
2 127.0.0.1:9000" "two connections, each from its SYN on"
