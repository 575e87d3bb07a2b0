#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# packet-socket.pl DEVICE VERSION PORT [FANOUT]: open a packet socket with a small buffer and read nothing. VERSION is
# 1 to 3 for a ring (TPACKET_V1 to V3), and 0 for a socket without a ring. The filter of the socket accepts UDP over
# IPv4 to PORT. Print the inode number of the socket. After a line of standard input, print how many packets the
# kernel has passed to the socket and how many it has dropped (PACKET_STATISTICS).
use strict;
use warnings;

my ($device, $version, $port, $fanout) = @ARGV;
my ($SOL_PACKET, $RX_RING, $STATISTICS, $VERSION, $FANOUT) = (263, 5, 6, 10, 18);
my ($SOL_SOCKET, $SO_RCVBUF, $SO_ATTACH_FILTER) = (1, 8, 26);

sub instruction { return pack("SCCL", @_) }

# Attach the socket to its device last, so that it gets no packet before it has its filter and its buffer.
socket(my $socket, 17, 3, 0) or die "socket: $!";
my $filter = instruction(0x28, 0, 0, 12) . instruction(0x15, 0, 5, 0x800) . instruction(0x30, 0, 0, 23) .
	instruction(0x15, 0, 3, 17) . instruction(0x28, 0, 0, 36) . instruction(0x15, 0, 1, $port) .
	instruction(0x6, 0, 0, 65535) . instruction(0x6, 0, 0, 0);
setsockopt($socket, $SOL_SOCKET, $SO_ATTACH_FILTER, pack("S x6 P", 8, $filter)) or die "filter: $!";
setsockopt($socket, $SOL_SOCKET, $SO_RCVBUF, pack("i", 1)) or die "buffer: $!";
if ($version) {
	setsockopt($socket, $SOL_PACKET, $VERSION, pack("i", $version - 1)) or die "version: $!";
	setsockopt($socket, $SOL_PACKET, $RX_RING,
		$version == 3 ? pack("I7", 4096, 2, 2048, 4, 10000, 0, 0) : pack("I4", 4096, 1, 1024, 4)) or die "ring: $!";
}
open(my $index, "<", "/sys/class/net/$device/ifindex") or die "$device: $!";
bind($socket, pack("S n i S C C x8", 17, 3, <$index>, 0, 0, 0)) or die "bind: $!";
if (defined $fanout) {
	setsockopt($socket, $SOL_PACKET, $FANOUT, pack("SS", $fanout, 1)) or die "fanout: $!";
}
$| = 1;
print((stat $socket)[1], "\n");
<STDIN>;
print join(" ", unpack("II", getsockopt($socket, $SOL_PACKET, $STATISTICS))), "\n";
