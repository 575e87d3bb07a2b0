#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why says that no call was refused only if none failed, and counts calls with unusual errors
# requires: perl

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
two_namespaces
neighbours_known
background ip netns exec B socat -u UDP-RECV:9000 OPEN:/dev/null
wait_for "a receiver" udp_listening B 9000

# says PERL TEXT: record this program, which sends a datagram to port 9000, and check what --why says
says() {
	trace-cmd record-skb -o a.dat -- ip netns exec A perl -MSocket -MErrno=:POSIX -e '
		my $to = sockaddr_in(9000, inet_aton("10.9.0.2"));
		socket(S, PF_INET, SOCK_DGRAM, 0); '"$1" >out 2>said || fail "$(cat said)"
	nothing_lost said
	trace-cmd report-skb -i a.dat --why >why 2>/dev/null
	cat out why
	has "$(cat why)" "$2" "$1"
}
says 'send(S, "x", 0, $to) or die $!;' '^nothing was dropped, and no call refused$'
says 'send(S, "x", 0, $to) or die $!; send(S, "x", 0); print $!{EDESTADDRREQ} ? "" : die;' \
	'^    the socket is not connected, and the call gives no destination$'
says 'send(S, "x", 0, $to) or die $!; send(S, "x", MSG_OOB, $to); print $!{EOPNOTSUPP} ? "" : die;' \
	'^nothing was dropped; 1 call failed with an error that has no explanation here$'
says 'send(S, "x", 0, $to) or die $!; recv(S, $_, 1, MSG_DONTWAIT); print $!{EAGAIN} ? "" : die;' \
	'^nothing was dropped, and no call refused$'
says 'send(S, "x", 0, $to) or die $!; shutdown(S, 2); print $!{ENOTCONN} ? "" : die;' \
	'^nothing was dropped, and no call refused$'
