#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a recording has the ARP requests that a followed command sends through a packet socket, their replies, and no other ARP packets
# requires: perl tcpdump
# tags: long
# timeout: 180

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/below-ip.sh"

cat >"$OUT/arp.pl" <<'END'
use Socket; my ($type, $from, $to, $n) = @ARGV; my $raw = $type eq "raw"; my $got = 0;
open my $f, "<", "/sys/class/net/va/ifindex"; my $index = <$f> + 0;
open $f, "<", "/sys/class/net/va/address"; my $mac = pack("H*", <$f> =~ s/[:\n]//gr);
socket(my $s, 17, $raw ? SOCK_RAW : SOCK_DGRAM, unpack("n", pack("S", 0x0806))) || die "$!";
my $address = pack("SnlSCCa8", 17, 0x0806, $index, 1, 0, 6, "\xff" x 6);
bind($s, pack("SnlSCCa8", 17, 0x0806, $index, 0, 0, 0, "")) || die "$!";
for (1 .. $n) {
	my $arp = pack("nnCCna6a4a6a4", 1, 0x0800, 6, 4, 1, $mac, inet_aton($from), "\xff" x 6, inet_aton($to));
	send($s, ($raw ? ("\xff" x 6) . $mac . pack("n", 0x0806) : "") . $arp, 0, $address) || die "$!";
	for (1 .. 30) {
		my $r = ""; vec($r, fileno($s), 1) = 1;
		last unless select($r, undef, undef, 0.1);
		recv($s, my $b, 200, 0);
		$got++, last if unpack("n", substr($b, $raw ? 20 : 6, 2)) == 2;
	}
}
print "$got replies\n";
END

# At the same time, another process causes ARP requests for another address.
background ip netns exec A sh -c 'while :; do ping -q -c 1 -W 1 10.9.0.77 >/dev/null; done'
for type in raw dgram; do
	tap A va arp
	record $type -- ip netns exec A perl "$OUT/arp.pl" $type 10.9.0.1 10.9.0.2 2
	taps_end
	has "$(cat "$OUT/said")" '^2 replies$' "$type: the command has two replies"
	is "$(witness 'arp host 10.9.0.2')" 4 "$type: tcpdump has four packets"
	[ "$(witness 'arp host 10.9.0.77')" -gt 0 ] || fail "no other ARP request was sent"
	is "$(grep -c '"type":"packet"' "$OUT/json") $(number 1 consumed) $(number 2 "(consumed|delivered)")" "4 2 2" \
		"$type: these are recorded: two requests, which are consumed, and two replies, which the command has, too"
done
record filter -p 9000 -- ip netns exec A perl "$OUT/arp.pl" raw 10.9.0.1 10.9.0.2 1
is "$(grep -c '"type":"packet"' "$OUT/json")" 2 "beside a filter of ports, too"
record expression 'arp[6:2] = 2' -- ip netns exec A perl "$OUT/arp.pl" raw 10.9.0.1 10.9.0.2 1
is "$(number '[13-9]' '[a-z]+')" 0 "an expression alone decides"

# No host has this address, so no reply arrives. The report shows the request as freed.
record unknown -- ip netns exec A perl "$OUT/arp.pl" raw 10.9.0.1 10.9.0.99 1
is "$(grep -c '"type":"packet"' "$OUT/json") $(number 1 freed)" "1 1" "without an answer the request is freed"
record gratuitous -- ip netns exec A perl "$OUT/arp.pl" raw 10.9.0.1 10.9.0.1 1
is "$(grep -c '"type":"packet"' "$OUT/json") $(number 1 consumed)" "1 1" "an announcement wants no answer: it is consumed"
