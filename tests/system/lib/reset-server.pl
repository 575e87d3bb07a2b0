#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# reset-server.pl FAMILY PORT[:PROTOCOL]…: listen on these TCP ports, for IPv4 (4) or for IPv4 and IPv6 (6), and accept only
# what a line of standard input says:
#
#   close PORT            close the listener
#   read PORT BYTES       accept a connection, read at most so many bytes, print "PORT NUMBER" and close the connection
#   urgent PORT BYTES     the same, after one urgent byte
use strict;
use warnings;
use Socket qw(:DEFAULT inet_pton pack_sockaddr_in6);

$| = 1;
my $family = shift;
my %listeners;
for (@ARGV) {
	my ($port, $protocol) = (split(/:/), 6);
	my $address = $family == 4 ? sockaddr_in($port, INADDR_ANY) : pack_sockaddr_in6($port, inet_pton(AF_INET6, "::"));
	my $s;
	socket($s, $family == 4 ? PF_INET : PF_INET6, SOCK_STREAM, $protocol) or die "socket: $!\n";
	setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1);
	bind($s, $address) or die "bind: $!\n";
	listen($s, 5);
	$listeners{$port} = $s;
}
while (<STDIN>) {
	my ($what, $port, $bytes) = split;
	if ($what eq "close") {
		close($listeners{$port});
		next;
	}
	accept(my $c, $listeners{$port});
	my $urgent = "";
	recv($c, $urgent, 1, MSG_OOB) if $what eq "urgent";
	my $n = sysread($c, my $data, $bytes);
	print "$port ", $n + length($urgent), "\n";
	close($c);
}
sleep 1000;
