#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if a followed command without an address sends a broadcast through a packet socket, the broadcast and its answer are recorded
# requires: perl tcpdump
# tags: long
# timeout: 180

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/below-ip.sh"

# Like a DHCP client, the program has no address. It sends its broadcast by a packet socket. The server sends
# its answer by UDP.
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
