#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: options for ports, hosts and protocols find IPv6 packets behind any chain of extension headers, as tshark does
# requires: perl tcpdump tshark
# timeout: 120

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
# Resolve the neighbour now, so that the first packet does not have to wait.
wait_for "the neighbour" in_a ping -q -c 1 -W 1 fd09::2 >/dev/null
# send NAME…: send a packet to fd09::2 for each NAME. A NAME lists the extension headers and then the
# protocol.
cat >"$OUT/send.pl" <<'P'
use Socket qw(:all);
my %next = (hop => 0, dst => 60, rt => 43, ah => 51, frag => 44, atom => 44, udp => 17, tcp => 6, icmp => 58, sctp => 132);
my ($me, $you) = map { inet_pton(AF_INET6, $_) } "fd09::1", "fd09::2";
my %body = (udp => pack("n4 a8", 5000, $ENV{PORT}, 16, 0, "datagram"), tcp => pack("n2 N2 C2 n3", 5000, $ENV{PORT}, 1, 0, 0x50, 2, 512, 0, 0),
	icmp => pack("C2 n n2 a8", 128, 0, 0, 7, 1, "an echo!"), sctp => pack("n2 N2 C2 n", 5000, $ENV{PORT}, 0, 0, 0, 0, 4));
my $head = sub { my ($name, $n) = @_; my $wide = $name =~ s/(\d+)$// ? $1 : 0;
	return pack("C2", $n, 5) . "\0" x 26 if $name eq "ah";
	return pack("C2 n N", $n, 0, $name eq "frag", 77) if $next{$name} == 44;
	return pack("C4 N", $n, $wide, $name eq "rt" ? (253, 0) : (0x1e, 4 + 8 * $wide), 0) . "\0" x (8 * $wide) };
socket(my $s, AF_INET6, SOCK_RAW, 255) or die $!;
for (@ARGV) {
	my @chain = split /,/;
	my $packet = $body{$chain[-1]};
	for my $i (reverse 0 .. $#chain - 1) { (my $n = $chain[$i + 1]) =~ s/\d+$//; $packet = $head->($chain[$i], $next{$n}) . $packet }
	(my $first = $chain[0]) =~ s/\d+$//;
	send($s, pack("N n C2", 6 << 28, length $packet, $next{$first}, 64) . $me . $you . $packet, 0, pack_sockaddr_in6(0, $you)) or die "$_: $!";
}
P
before="hop dst rt ah frag atom hop,dst hop,dst,rt,frag,dst ah,dst hop30 dst30,dst60,rt $(printf 'dst,%.0s' $(seq 18))dst"
chains=()
for transport in udp tcp sctp; do
	for chain in $before; do chains+=("$chain,$transport"); done
done
for chain in hop dst rt ah atom hop,ah; do chains+=("$chain,icmp"); done

# sent: send all packets that may match, and some that must not
sent() {
	PORT=9000 in_a perl "$OUT/send.pl" "${chains[@]}"
	PORT=7000 in_a perl "$OUT/send.pl" hop,udp dst,tcp hop,dst,frag,udp
}
# Each recording sends the same packets, so one capture tells how many packets arrive. With -s, tcpdump's
# buffer has room for all of them.
ip netns exec B tcpdump --immediate-mode -U -s 2000 -Q in -i vb -w "$OUT/pcap" ip6 2>"$OUT/tcpdump" &
tcpdump=$!
wait_for "tcpdump" grep -q 'listening on' "$OUT/tcpdump"
sent
pause 0.5
capture_ends $tcpdump
tshark -r "$OUT/pcap" -o ipv6.defragment:FALSE -T fields -E separator=/t -e frame.protocols -e udp.dstport -e tcp.dstport \
	-e sctp.dstport -e icmpv6.type 2>/dev/null >"$OUT/frames"

# finds PATTERN OPTION…: check that a recording with OPTION… has as many packets as tshark's output has lines
# with PATTERN
finds() {
	local recorder packets
	trace-cmd record-skb "${few[@]}" --direction rx --no-icmp-errors -o "$OUT/trace.dat" "${@:2}" >"$OUT/said" 2>&1 &
	recorder=$!
	wait_for "matching" armed
	sent
	kill -INT $recorder
	wait $recorder || fail "$(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	packets=$(sed -n 's/^\([0-9]*\) packets matched.*/\1/p' "$OUT/said")
	is "$packets" "$(grep -cP "$1" "$OUT/frames")" "${*:2} finds its packets"
	[ "$packets" -ge 5 ] || fail "there were only $packets"
}
finds 'udp.*\t9000\t\t\t' --dport 9000 --proto udp
trace-cmd report -i "$OUT/trace.dat" >"$OUT/report" 2>/dev/null
has "$(cat "$OUT/report")" 'udp \[fd09::1\]:5000 > \[fd09::2\]:9000' "with its ports"
finds '\t9000\t' --dport 9000 --host fd09::2
finds '\t128$' --proto icmpv6 --src fd09::1
finds 'sctp' --proto sctp
