# SPDX-License-Identifier: GPL-2.0
# frames.pl - send handmade frames, one or more for each row of a table, and log when each row was sent
#
# usage: frames.pl ROWS LOG
#
# A row is "NAME | CODE | WITNESS | CAUSE". CODE is Perl and returns frames. "DEVICE: " may precede it; the
# default device is va. A line of LOG is "NAME<tab>BEGIN<tab>END", in nanoseconds of CLOCK_MONOTONIC. Perl's
# base package is sufficient.
use strict;
use warnings;
use Socket;
use POSIX "uname";

my ($rows, $log) = @ARGV;
our $dev = "va";
our %peer = (va => "02:00:00:00:09:02");	# the address at the other end of a device
our $me = "02:00:00:00:09:01";
our $ghost = "02:00:00:00:00:77";	# a host that exists in these frames only: 10.9.0.77

sub mac { pack "C6", map { hex } split /:/, shift }
sub ip { inet_aton(shift) }
sub ip6a { Socket::inet_pton(AF_INET6, shift) }
sub sum {
	my $s = 0;
	my $data = shift;
	$data .= "\0" if length($data) % 2;
	$s += $_ for unpack "n*", $data;
	$s = ($s & 0xffff) + ($s >> 16) while $s >> 16;
	return ~$s & 0xffff;
}

# eth(TYPE, PAYLOAD, dst =>, src =>): return an Ethernet frame
sub eth {
	my ($type, $payload, %o) = @_;
	return mac($o{dst} // $peer{$dev} // "ff:ff:ff:ff:ff:ff") . mac($o{src} // $me) . pack("n", $type) . $payload;
}

# v4(PAYLOAD, …): return a frame with IPv4. The options replace fields of the header, or are those of eth().
sub v4 {
	my ($payload, %o) = @_;
	my $opts = $o{opts} // "";
	my $ihl = $o{ihl} // 5 + length($opts) / 4;
	my $h = pack "CCnnnCCna4a4", ($o{version} // 4) << 4 | $ihl, $o{tos} // 0, $o{len} // 20 + length($opts) + length($payload),
		$o{id} // 7, $o{frag} // 0, $o{ttl} // 64, $o{proto} // 17, 0, ip($o{from} // "10.9.0.1"), ip($o{to} // "10.9.0.2");
	$h .= $opts;
	substr($h, 10, 2) = pack "n", $o{sum} // sum($h);
	return eth($o{type} // 0x800, substr($h . $payload, 0, $o{cut} // 9999), %o);
}

# v6(PAYLOAD, …): return a frame with IPv6
sub v6 {
	my ($payload, %o) = @_;
	my $h = pack "NnCCa16a16", ($o{version} // 6) << 28, $o{len} // length($payload), $o{next} // 17, $o{hops} // 64,
		ip6a($o{from} // "fd09::1"), ip6a($o{to} // "fd09::2");
	return eth($o{type} // 0x86dd, substr($h . $payload, 0, $o{cut} // 9999), %o);
}

# l4sum(PAYLOAD, OFFSET, PROTO, FROM, TO): return the payload with its checksum, which includes the pseudo
# header
sub l4sum {
	my ($p, $at, $proto, $from, $to) = @_;
	my $pseudo = $from =~ /:/ ? ip6a($from) . ip6a($to) . pack("NN", length $p, $proto) :
		ip($from) . ip($to) . pack("CCn", 0, $proto, length $p);
	substr($p, $at, 2) = pack "n", 0;
	substr($p, $at, 2) = pack "n", sum($pseudo . $p) || 0xffff;
	return $p;
}

# udp(PORT, DATA, …): return a datagram without a checksum, or with one for IPv6 (sum6 => [FROM, TO])
sub udp {
	my ($port, $data, %o) = @_;
	my $p = pack("nnnn", $o{sport} // 5000, $port, $o{len} // 8 + length($data), $o{sum} // 0) . $data;
	return $o{sum6} ? l4sum($p, 6, 17, @{$o{sum6}}) : $p;
}

# udp6(PORT, …): return an IPv6 frame with a datagram
sub udp6 {
	my ($port, %o) = @_;
	return v6(udp($port, "hello", sum6 => [$o{from} // "fd09::1", $o{to} // "fd09::2"], %o), %o);
}

sub icmp {
	my ($type, $code, $rest, %o) = @_;
	my $p = pack("CCn", $type, $code, 0) . $rest;
	substr($p, 2, 2) = pack "n", $o{sum} // sum($p);
	return $p;
}

# icmp6(TYPE, CODE, REST, …): return a frame with ICMPv6
sub icmp6 {
	my ($type, $code, $rest, %o) = @_;
	my $p = pack("CCn", $type, $code, 0) . $rest;
	$p = l4sum($p, 2, 58, $o{from} // "fd09::1", $o{to} // "fd09::2") unless $o{bad};
	return v6($p, next => 58, hops => 255, %o);
}

# tcp(PORT, FLAGS, …): return a frame with a TCP segment
sub tcp {
	my ($port, $flags, %o) = @_;
	my $opts = $o{opts} // "";
	my ($from, $to) = ($o{from} // "10.9.0.77", $o{to} // "10.9.0.2");
	my $p = pack("nnNNCCnnn", $o{sport} // 6000, $port, $o{seq} // 1000, $o{ack} // 0, ($o{doff} // 5 + length($opts) / 4) << 4, $flags,
		$o{window} // 8192, 0, 0) . $opts . ($o{data} // "");
	$p = l4sum(substr($p, 0, $o{tcut} // 9999), 16, 6, $from, $to) unless ($o{tcut} // 99) < 20;
	return v4($p, proto => 6, src => $ghost, %o, from => $from, to => $to, opts => $o{ipopts} // "");
}

my %sockets;
sub sock {
	my $d = shift;
	return $sockets{$d} if $sockets{$d};
	open my $f, "<", "/sys/class/net/$d/ifindex" or die "$d: $!";
	my $index = <$f>;
	socket my $s, 17, 3, unpack("S", pack("n", 3)) or die "socket: $!";
	bind $s, pack("SnlSCCa8", 17, 3, $index, 0, 0, 0, "") or die "bind: $!";
	return $sockets{$d} = $s;
}

sub out {
	# ENOBUFS (105) means that the queueing discipline has dropped the frame.
	send(sock($dev), $_, 0) or $! == 105 or die "send: $!" for @_;
}

# answer(PORT): wait for a segment to this port of the host that does not exist. Return its sequence number,
# its acknowledgement and its TCP options.
sub answer {
	my $port = shift;
	for (;;) {
		my $r = "";
		vec($r, fileno sock($dev), 1) = 1;
		select($r, undef, undef, 20) or die "no answer to port $port";
		recv sock($dev), my $f, 2000, 0;
		next unless length($f) >= 54 && unpack("x12 n x9 C", $f) && unpack("n", substr $f, 12, 2) == 0x800 && ord(substr $f, 23, 1) == 6;
		my ($to, $seq, $ack) = unpack "x2 n N N", substr $f, 34;
		return ($seq, $ack, length $f >= 66 ? substr $f, 54 : "") if $to == $port;
	}
}

# conn(PORT, …): connect from a port of the host that does not exist. Return options for tcp() that continue
# the connection. With ts => 1, the segments have timestamps.
our $next = 6100;
sub stamp { pack "CCCCNN", 1, 1, 8, 10, shift, shift }
sub conn {
	my ($port, %o) = @_;
	my $sport = $next++;
	out(tcp($port, 2, sport => $sport, seq => 9999, $o{ts} ? (opts => stamp(5000, 0)) : ()));
	my ($seq, undef, $options) = answer($sport);
	my $theirs = $o{ts} && $options =~ /\x08\x0a.{4}/s ? unpack "N", substr $options, index($options, "\x08\x0a") + 2 : 0;
	my %c = (sport => $sport, seq => 10000, ack => $seq + 1, ts => $theirs);
	out(tcp($port, 16, %c, $o{ts} ? (opts => stamp(5001, $theirs)) : ())) unless $o{half};
	return %c;
}

# The number of the system call clock_gettime depends on the architecture.
my $clock_gettime = (uname)[4] eq "aarch64" ? 113 : 228;

sub now {
	my $t = pack "qq", 0, 0;
	syscall($clock_gettime, 1, $t) == 0 or die "clock_gettime: $!";
	my ($s, $ns) = unpack "qq", $t;
	return $s * 1000000000 + $ns;
}

sub nap { select undef, undef, undef, shift }

open my $in, "<", $rows or die "$rows: $!";
open my $to, ">", $log or die "$log: $!";
while (<$in>) {
	chomp;
	next unless /\S/;
	my ($name, $code) = map { s/^\s+|\s+$//gr } split /\|/, $_, 3;
	local $dev = $code =~ s/^([a-z0-9]+): // ? $1 : "va";
	my @frames = eval $code;
	die "$name: $@" if $@;
	my $begin = now();
	out(@frames);
	nap(0.02);
	printf $to "%s\t%s\t%s\n", $name, $begin, now();
}
