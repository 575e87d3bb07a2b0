#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why shows how full the accept queue and receive buffer of an IPv6 socket were, and the backlog of a TCP socket
# requires: ss perl

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
. "$(dirname "$0")/../lib/lib.sh"
. "$here/why-says.sh"

cd "$OUT"
two_namespaces
neighbours_known
cat >server <<'END'
	use Socket qw(:DEFAULT inet_pton pack_sockaddr_in6);
	my $any = inet_pton(AF_INET6, "::");
	socket(S, PF_INET6, SOCK_STREAM, 6); bind(S, pack_sockaddr_in6(9211, $any)) or die; listen(S, 2);
	socket(U, PF_INET6, SOCK_DGRAM, 17); setsockopt(U, SOL_SOCKET, SO_RCVBUF, 2304); bind(U, pack_sockaddr_in6(9212, $any)) or die;
	sleep 1000;
END
background ip netns exec B perl server
wait_for "the server" udp_listening B 9212
cat >client <<'END'
	use Socket qw(:DEFAULT inet_pton pack_sockaddr_in6);
	my $to = inet_pton(AF_INET6, "fd09::2");
	for (1 .. 5) { socket(my $c, PF_INET6, SOCK_STREAM | 2048, 6); connect($c, pack_sockaddr_in6(9211, $to)); push @c, $c; select(undef, undef, undef, 0.2) }
	socket(my $u, PF_INET6, SOCK_DGRAM, 17); send($u, "x" x 100, 0, pack_sockaddr_in6(9212, $to)) for 1 .. 20;
END
trace-cmd record-skb -b 16384 -o values.dat -p 9211-9212 -- ip netns exec A perl client >out 2>said || fail "$(cat said)"
nothing_lost said
ip netns exec B ss -Htln 'sport = :9211' >listeners
ip netns exec B ss -Huanm 'sport = :9212' | tr -d '\n' >memory
trace-cmd report-skb -i values.dat --why >why 2>/dev/null
cat why listeners memory

read -r _ used limit _ <listeners
says ':9211: (possibly )?dropped' "accept queue of port 9211 was full \\($used of $limit\\): .*net\\.core\\.somaxconn"
used=$(sed -n 's/.*skmem:(r\([0-9]*\),rb\([0-9]*\),.*/\1 of \2/p' memory)
says ':9212: dropped' "receive buffer of port 9212 was full \\($used bytes of memory, and the packet needs [1-9][0-9]*\\)"
