#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: ARP requests that a followed command sends by a packet socket, and the replies, are recorded, and no other ARP
# tags: long
# requires: perl tcpdump
# timeout: 180

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"

two_namespaces
neighbours_known
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
number() { grep '"type":"packet"' "$OUT/json" | grep -cE "\"arp\":$1,.*\"what\":\"$2\"" || true; }
record() { # WHAT ARGS…
	trace-cmd record-skb --detail path -o "$OUT/trace.dat" "${@:2}" >"$OUT/said" 2>&1
	trace-cmd report-skb -i "$OUT/trace.dat" --json >"$OUT/json" 2>/dev/null
}
witness() { tcpdump -r "$OUT/A.va.pcap" -nn -t "$1" 2>/dev/null | wc -l; }

# Another process sends requests for another address at the same time.
background ip netns exec A sh -c 'while :; do ping -q -c 1 -W 1 10.9.0.77 >/dev/null; done'
for type in raw dgram; do
	tap A va arp
	record $type -- ip netns exec A perl "$OUT/arp.pl" $type 10.9.0.1 10.9.0.2 2
	taps_end
	has "$(cat "$OUT/said")" '^2 replies$' "$type: the command has two replies"
	is "$(witness 'arp host 10.9.0.2')" 4 "$type: tcpdump has four packets"
	[ "$(witness 'arp host 10.9.0.77')" -gt 0 ] || fail "nobody else has asked"
	is "$(grep -c '"type":"packet"' "$OUT/json") $(number 1 consumed) $(number 2 "(consumed|delivered)")" "4 2 2" \
		"$type: these are recorded: two requests, which are consumed, and two replies, which the command has, too"
done
record filter -p 9000 -- ip netns exec A perl "$OUT/arp.pl" raw 10.9.0.1 10.9.0.2 1
is "$(grep -c '"type":"packet"' "$OUT/json")" 2 "beside a filter of ports, too"
record expression 'arp[6:2] = 2' -- ip netns exec A perl "$OUT/arp.pl" raw 10.9.0.1 10.9.0.2 1
is "$(number '[13-9]' '[a-z]+')" 0 "an expression alone decides"

# No host has the address: the request has no answer, and its fate is unknown.
record nobody -- ip netns exec A perl "$OUT/arp.pl" raw 10.9.0.1 10.9.0.99 1
is "$(grep -c '"type":"packet"' "$OUT/json") $(number 1 freed)" "1 1" "without an answer the request is freed"
record gratuitous -- ip netns exec A perl "$OUT/arp.pl" raw 10.9.0.1 10.9.0.1 1
is "$(grep -c '"type":"packet"' "$OUT/json") $(number 1 consumed)" "1 1" "an announcement wants no answer: it is consumed"

# A client without an address, as of DHCP: its broadcast by a packet socket, and the server's by UDP.
cat >"$OUT/discover.pl" <<'END'
use Socket; open my $f, "<", "/sys/class/net/va/ifindex"; my $index = <$f> + 0;
socket(my $s, 17, SOCK_DGRAM, unpack("n", pack("S", 0x0800))) || die "$!";
my $ip = pack("CCnnnCCna4a4", 0x45, 0, 32, 1, 0, 64, 17, 0, "\0" x 4, "\xff" x 4);
my $sum = 0; $sum += $_ for unpack("n10", $ip); $sum = ($sum & 0xffff) + ($sum >> 16) while $sum >> 16;
substr($ip, 10, 2) = pack("n", ~$sum & 0xffff);
send($s, $ip . pack("nnnna4", 68, 67, 12, 0, "disc"), 0, pack("SnlSCCa8", 17, 0x0800, $index, 1, 0, 6, "\xff" x 6)) || die "$!";
for (1 .. 50) {
	my $r = ""; vec($r, fileno($s), 1) = 1;
	select($r, undef, undef, 0.1) || next;
	recv($s, my $b, 200, 0);
	print("offered\n"), last if unpack("n", substr($b, 22, 2)) == 68;
}
END
cat >"$OUT/offer.pl" <<'END'
use Socket; socket(my $s, PF_INET, SOCK_DGRAM, 17); setsockopt($s, SOL_SOCKET, SO_BROADCAST, 1); setsockopt($s, SOL_SOCKET, 25, "vb\0");
bind($s, sockaddr_in(67, INADDR_ANY)) || die "$!";
while (1) { recv($s, my $b, 200, 0); send($s, "offer", 0, sockaddr_in(68, INADDR_BROADCAST)) || die "$!" }
END
background ip netns exec B perl "$OUT/offer.pl"
wait_for "the server" udp_listening B 67
tap A va udp
record dhcp -- ip netns exec A perl "$OUT/discover.pl"
taps_end
has "$(cat "$OUT/said")" '^offered$' "the client has its offer"
is "$(witness 'udp port 67') $(grep -cE '"type":"packet".*"protocol":17,' "$OUT/json")" "2 2" "both are recorded, as tcpdump has both"
