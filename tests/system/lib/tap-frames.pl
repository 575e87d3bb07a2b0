#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# tap-frames.pl DEVICE ADDRESS PORT COUNT: make a TAP device. For each line of standard input, COUNT frames with
# datagrams to PORT of ADDRESS arrive on it, from port 1717 of 10.6.0.1. A native XDP program of the device runs on a
# frame before the driver makes an skb.
use strict;
use warnings;
use Fcntl;
use Socket;

my ($device, $address, $port, $count) = @ARGV;
my ($TUNSETIFF, $IFF_TAP, $IFF_NO_PI) = (0x400454ca, 2, 0x1000);

# Without O_NONBLOCK, the driver would make the skb first.
sysopen(my $tap, "/dev/net/tun", O_RDWR | O_NONBLOCK) or die "tun: $!";
ioctl($tap, $TUNSETIFF, pack("a16 s x22", $device, $IFF_TAP | $IFF_NO_PI)) or die "$device: $!";

my $data = "x" x 32;
my $udp = pack("nnnn", 1717, $port, 8 + length($data), 0) . $data;
my $ip = pack("CCnnnCCna4a4", 0x45, 0, 20 + length($udp), 0, 0, 64, 17, 0, inet_aton("10.6.0.1"), inet_aton($address));
my $sum = 0;
$sum += $_ for unpack("n*", $ip);
$sum = ($sum >> 16) + ($sum & 0xffff) for 1, 2;
substr($ip, 10, 2) = pack("n", ~$sum & 0xffff);
my $frame = "\xff" x 6 . "\x02\0\0\0\0\x17" . pack("n", 0x800) . $ip . $udp;

while (<STDIN>) {
	syswrite($tap, $frame) == length($frame) or die "frame: $!" for 1 .. $count;
}
