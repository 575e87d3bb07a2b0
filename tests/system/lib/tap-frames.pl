#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# tap-frames.pl DEVICE ADDRESS PORT COUNT: make a TAP device. For each line of standard input, COUNT frames with
# datagrams to PORT of ADDRESS arrive on it, from port 1717 of 10.6.0.1. A native XDP program of the device runs on a
# frame before the driver makes an skb. The line can name another kind of frame:
#
#   extended     IPv6 with two extension headers, from fd06::1 to fd06::2
#   tagged       in VLAN 5, from 10.5.0.1 to 10.5.0.2
#   first, last  one of the two fragments of such a datagram
use strict;
use warnings;
use Fcntl;
use Socket qw(:DEFAULT inet_pton);

my ($device, $address, $port, $count) = @ARGV;
my ($TUNSETIFF, $IFF_TAP, $IFF_NO_PI) = (0x400454ca, 2, 0x1000);

# Without O_NONBLOCK, the driver would make the skb first.
sysopen(my $tap, "/dev/net/tun", O_RDWR | O_NONBLOCK) or die "tun: $!";
ioctl($tap, $TUNSETIFF, pack("a16 s x22", $device, $IFF_TAP | $IFF_NO_PI)) or die "$device: $!";

# checksum(BYTES): return the checksum of the Internet protocols
sub checksum {
	my $sum = 0;
	$sum += $_ for unpack("n*", $_[0]);
	$sum = ($sum >> 16) + ($sum & 0xffff) for 1, 2;
	return pack("n", ~$sum & 0xffff);
}

# udp(ADDRESSES): return a datagram. Its checksum includes the addresses of source and destination.
sub udp {
	my $udp = pack("nnnn", 1717, $port, 40, 0) . "x" x 32;
	substr($udp, 6, 2) = checksum($_[0] . pack("NN", length($udp), 17) . $udp);
	return $udp;
}

# v4(ID, FROM, TO, FRAGMENT, BEGIN, LENGTH): return a packet with LENGTH bytes of a datagram, from byte BEGIN on. FRAGMENT is
# the field of the IP header.
sub v4 {
	my ($id, $from, $to, $fragment, $begin, $length) = @_;
	my $addresses = inet_aton($from) . inet_aton($to);
	my $ip = pack("CCnnnCCn", 0x45, 0, 20 + $length, $id, $fragment, 64, 17, 0) . $addresses;
	substr($ip, 10, 2) = checksum($ip);
	return $ip . substr(udp($addresses), $begin, $length);
}

sub v6 {
	my $addresses = inet_pton(AF_INET6, "fd06::1") . inet_pton(AF_INET6, "fd06::2");
	# Hop-by-hop options and destination options, which consist of padding.
	my $headers = pack("C8 C8", 60, 0, 1, 4, 0, 0, 0, 0, 17, 0, 1, 4, 0, 0, 0, 0);
	return pack("NnCC", 6 << 28, length($headers) + 40, 0, 64) . $addresses . $headers . udp($addresses);
}

my %packet = (
	"" => sub { pack("n", 0x800) . v4(shift, "10.6.0.1", $address, 0, 0, 40) },
	extended => sub { pack("n", 0x86dd) . v6() },
	tagged => sub { pack("nnn", 0x8100, 5, 0x800) . v4(shift, "10.5.0.1", "10.5.0.2", 0, 0, 40) },
	first => sub { pack("n", 0x800) . v4(shift, "10.6.0.1", $address, 0x2000, 0, 16) },
	last => sub { pack("n", 0x800) . v4(shift, "10.6.0.1", $address, 2, 16, 24) },
);

while (my $kind = <STDIN>) {
	chomp $kind;
	for my $id (1 .. $count) {
		my $frame = "\xff" x 6 . "\x02\0\0\0\0\x17" . $packet{$kind}->($id);
		syswrite($tap, $frame) == length($frame) or die "frame: $!";
	}
}
