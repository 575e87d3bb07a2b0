#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# locked-sockets.pl PORT COUNT: listen on PORT, for IPv4 and IPv6, and accept so many connections. For each of them, a process
# named "locker" locks the socket and sleeps. The caller must kill these processes.
use Socket qw(:DEFAULT inet_pton pack_sockaddr_in6);
use POSIX "uname";

my ($port, $count) = @ARGV;
my ($mmap, $userfaultfd, $ioctl, $recvfrom) = (uname)[4] eq "aarch64" ? (222, 282, 29, 207) : (9, 323, 16, 45);
socket(L, PF_INET6, SOCK_STREAM, 6);
setsockopt(L, SOL_SOCKET, SO_RCVBUF, 10000);
bind(L, pack_sockaddr_in6($port, inet_pton(AF_INET6, "::"))) or die "bind: $!";
listen(L, 5);
for (1 .. $count) {
	accept(my $c, L);
	next if fork;
	# The task reads into a page that userfaultfd never fills, so it sleeps with the socket locked.
	my $page = syscall($mmap, 0, 4096, 3, 0x22, -1, 0);
	my $fault = syscall($userfaultfd, 0x80000);
	my ($api, $region) = (pack("QQQ", 0xaa, 0, 0), pack("QQQQ", $page, 4096, 1, 0));
	syscall($ioctl, $fault, 0xc018aa3f, $api) == 0 && syscall($ioctl, $fault, 0xc020aa00, $region) == 0 or die;
	$0 = "locker";
	syscall($recvfrom, fileno($c), $page, 100, 0, 0, 0);
	exit;
}
sleep 1000;
