#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: copies that wait in a socket without a probe point have a verdict: ICMP errors, and the data of a SYN
# requires: perl
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/copy-verdicts.sh"

in_a sysctl -q net.ipv4.tcp_fastopen=3
in_b sysctl -q net.ipv4.tcp_fastopen=3

# No socket listens on port 9000, so each datagram causes an ICMP error. For each address family, the
# program reads three errors from the error queue of its socket.
cat >"$OUT/errors.pl" <<'END'
use Socket; my ($family, $level, $name, $to) = @ARGV; my $got = 0;
socket(my $s, $family, SOCK_DGRAM, 17) || die "$!";
setsockopt($s, $level, $name, 1) || die "$!";
connect($s, $family == AF_INET ? sockaddr_in(9000, inet_aton($to)) : pack_sockaddr_in6(9000, Socket::inet_pton(AF_INET6, $to))) || die "$!";
for (1 .. 3) { send($s, "x", 0); select(undef, undef, undef, 0.2); my $b; $got++ if defined recv($s, $b, 100, 0x2000); recv($s, $b, 100, 0x40) }
print "read $got errors\n";
END
for words in "2 0 11 10.9.0.2 3" "10 41 25 fd09::2 1"; do
	read -r family level name to type <<<"$words"
	record -p 9000 -- ip netns exec A perl "$OUT/errors.pl" "$family" "$level" "$name" "$to"
	has "$(cat "$OUT/said")" '^read 3 errors$' "$to: the witness reads three errors"
	is "$(verdicts "\"icmp\":.\"type\":$type," | sort | uniq -c | xargs)" "3 delivered 1" "$to: three are delivered, with the copy that is"
	copied_ones "$to"
done

# Send data in a SYN (TCP Fast Open) to two servers, of which only one accepts such data. The client's first
# connection gets the cookie that is needed for this.
cat >"$OUT/server.pl" <<'END'
use Socket; my ($port, $fast) = @ARGV; socket(my $s, PF_INET, SOCK_STREAM, 6); setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1);
bind($s, sockaddr_in($port, INADDR_ANY)) && (!$fast || setsockopt($s, 6, 23, pack("i", 16))) && listen($s, 5) || die "$!";
while (accept(my $c, $s)) { sysread($c, my $b, 100) }
END
cat >"$OUT/fast.pl" <<'END'
use Socket; socket(my $s, PF_INET, SOCK_STREAM, 6); send($s, "hello", 0x20000000, sockaddr_in($ARGV[0], inet_aton("10.9.0.2"))) || die "$!";
select(undef, undef, undef, 0.3);
END
fast() { in_b nstat -asz TcpExtTCPFastOpenPassive | awk '/FastOpen/ { print $2 }'; }
background ip netns exec B perl "$OUT/server.pl" 9002 1
background ip netns exec B perl "$OUT/server.pl" 9003 0
wait_for "the servers" eval 'listening B 9002 && listening B 9003'
in_a perl "$OUT/fast.pl" 9002
before=$(fast)
record -p 9002 -- ip netns exec A perl "$OUT/fast.pl" 9002
is "$(($(fast) - before))" 1 "the kernel counts a connection by TCP Fast Open"
is "$(verdicts '"tcp_flags":"S"')" "delivered 1" "the SYN's data is delivered, with the copy that is"
in_a sysctl -q net.ipv4.tcp_fastopen=5
record -p 9003 -- ip netns exec A perl "$OUT/fast.pl" 9003
has "$(verdicts '"tcp_flags":"S"')" '^consumed ' "a SYN with data that the listener does not accept is consumed"
copied_ones "TCP Fast Open"
