# SPDX-License-Identifier: GPL-2.0
# reset-client.pl - the beginning of each client of resets.sh
use POSIX ();
use Socket qw(:DEFAULT inet_pton pack_sockaddr_in6);

# to(PORT, FAMILY, PROTOCOL): connect to B, and return the socket
sub to {
	my ($port, $family, $protocol) = @_;
	my $to = $family == AF_INET ? sockaddr_in($port, inet_aton("10.9.0.2")) :
		pack_sockaddr_in6($port, inet_pton(AF_INET6, "fd09::2"));
	socket(my $s, $family, SOCK_STREAM, $protocol // 6);
	connect($s, $to) or print "$port: $!\n";
	return $s;
}

# silent(PORT): let B drop all packets to PORT
sub silent { system("ip netns exec B nft add rule inet rules in tcp dport $_[0] drop"); }

# order(LINE): send a line to reset-server.pl
sub order {
	my $line = "$_[0]\n";
	POSIX::write(8, $line, length($line));
}
