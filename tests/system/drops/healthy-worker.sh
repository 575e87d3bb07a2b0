#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a full queue is not blamed on a program that has another socket with the same port, only on its own program
# requires: ss perl

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
. "$(dirname "$0")/../lib/lib.sh"
. "$here/why-says.sh"

cd "$OUT"
two_namespaces
neighbours_known
cat >server <<'END'
	use Socket;
	my $peer = sockaddr_in(7777, inet_aton("10.9.0.1"));
	sub open_socket { my ($type, $option, $port, $memory) = @_;
		socket(my $s, PF_INET, $type, 0); setsockopt($s, SOL_SOCKET, $option, 1) if $option;
		setsockopt($s, SOL_SOCKET, SO_RCVBUF, $memory) if $memory;
		bind($s, sockaddr_in($port, INADDR_ANY)) or die "bind: $!\n"; return $s; }
	# Two workers accept from the same port. Only the first one does its work.
	if (!fork) { $0 = "healthy"; my $s = open_socket(SOCK_STREAM, SO_REUSEPORT, 9301); listen($s, 1); while (accept(my $c, $s)) { close($c) } }
	if (!fork) { $0 = "hung"; my $s = open_socket(SOCK_STREAM, SO_REUSEPORT, 9301); listen($s, 1); sleep 1000 }
	# A socket for all peers, and another for one of them.
	if (!fork) { $0 = "healthy"; my $s = open_socket(SOCK_DGRAM, SO_REUSEADDR, 9302); while (defined(recv($s, my $d, 100, 0))) {} }
	if (!fork) { $0 = "hung"; my $s = open_socket(SOCK_DGRAM, SO_REUSEADDR, 9302, 2304); connect($s, $peer); sleep 1000 }
	# These have ports of their own.
	if (!fork) { $0 = "slow"; my $s = open_socket(SOCK_DGRAM, 0, 9303, 2304); while (defined(recv($s, my $d, 100, 0))) { sleep 1 } }
	$0 = "slow"; my $s = open_socket(SOCK_STREAM, 0, 9304); listen($s, 1); while (accept(my $c, $s)) { push @c, $c; sleep 1 }
END
background ip netns exec B perl server
wait_for "a server" listening B 9304
sockets_are_open() { [ "$(in_b ss -Htlan 'sport = :9301' | wc -l) $(in_b ss -Huan 'sport = :9302 or sport = :9303' | wc -l)" = "2 3" ]; }
wait_for "all sockets" sockets_are_open
cat >client <<'END'
	use Socket;
	sub connect_to { my ($port, $n) = @_;
		for (1 .. $n) { socket(my $c, PF_INET, SOCK_STREAM | 2048, 6); connect($c, sockaddr_in($port, inet_aton("10.9.0.2"))); push @c, $c; select(undef, undef, undef, 0.05) } }
	sub send_to { my ($u, $port, $n) = @_; for (1 .. $n) { send($u, "x" x 100, 0, sockaddr_in($port, inet_aton("10.9.0.2"))); select(undef, undef, undef, 0.01) } }
	socket(my $any, PF_INET, SOCK_DGRAM, 17); socket(my $peer, PF_INET, SOCK_DGRAM, 17); bind($peer, sockaddr_in(7777, INADDR_ANY));
	connect_to(9301, 40); send_to($any, 9302, 10); send_to($peer, 9302, 20); send_to($any, 9303, 20); connect_to(9304, 8);
END
trace-cmd record-skb -b 16384 -o workers.dat -p 9301-9304 -- ip netns exec A perl client >out 2>said || fail "$(cat said)"
nothing_lost said
trace-cmd report-skb -i workers.dat --why >why 2>/dev/null
cat why
says ':9301: (possibly )?dropped' 'accept queue of port 9301 was full \(2 of 1\): its program accepts too slowly'
says ':9302: dropped' 'receive buffer of port 9302 was full \([^)]*\): its program reads too slowly'
says ':9303: dropped' 'receive buffer of port 9303 was full \([^)]*\): its program \(last seen: slow-[0-9]+\) reads too slowly'
says ':9304: (possibly )?dropped' 'accept queue of port 9304 was full \(2 of 1\): its program \(last seen: slow-[0-9]+\) accepts too slowly'
has_not "$(cat why)" 'healthy' "no healthy worker is blamed"
