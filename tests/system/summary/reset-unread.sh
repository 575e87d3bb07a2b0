#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: for a reset by close(), report-skb shows the number of unread bytes: IPv4, IPv6, after a FIN, with urgent data; but not for MPTCP
# requires: perl ss jq
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
neighbours_known
mptcp=0
[ ! -e /proc/sys/net/mptcp/enabled ] || mptcp=262
[ "$mptcp" = 0 ] || ip netns exec A sysctl -q net.mptcp.enabled=1
[ "$mptcp" = 0 ] || ip netns exec B sysctl -q net.mptcp.enabled=1
# For each connection, the server reads as many bytes as the client tells it, logs this number, and closes.
cat >"$OUT/server" <<'END'
	use Socket qw(:DEFAULT inet_pton pack_sockaddr_in6);
	$| = 1;
	for my $port (9030 .. 9034) {
		socket($s{$port}, PF_INET6, SOCK_STREAM, $port == 9034 ? $ENV{mptcp} : 6) or die "socket: $!\n";
		setsockopt($s{$port}, SOL_SOCKET, SO_REUSEADDR, 1);
		bind($s{$port}, pack_sockaddr_in6($port, inet_pton(AF_INET6, "::"))) or die "bind: $!\n";
		listen($s{$port}, 5);
	}
	while (<STDIN>) {
		my ($port, $bytes) = split;
		accept(my $c, $s{$port});
		recv($c, my $urgent, 1, MSG_OOB) if $port == 9033;
		my $n = sysread($c, my $data, $bytes);
		print "$port ", $n + length($urgent), "\n";
		close($c);
	}
END
mkfifo "$OUT/orders"
mptcp=$mptcp ip netns exec B perl "$OUT/server" <"$OUT/orders" >"$OUT/read" &
at_exit stop $!
exec 8>"$OUT/orders"
wait_for "the server" listening B 9034
cat >"$OUT/client" <<'END'
	use Socket qw(:DEFAULT inet_pton pack_sockaddr_in6);
	use POSIX ();
	sub to { # PORT FAMILY PROTOCOL SEND BYTES: connect, call SEND, let the server read BYTES and close
		my ($port, $family, $protocol, $send, $bytes) = @_;
		socket(my $s, $family, SOCK_STREAM, $protocol);
		connect($s, $family == AF_INET ? sockaddr_in($port, inet_aton("10.9.0.2")) :
			pack_sockaddr_in6($port, inet_pton(AF_INET6, "fd09::2"))) or print "$port: $!\n";
		$send->($s);
		# Wait until the other end has acknowledged all data (SIOCOUTQ).
		do { ioctl($s, 0x5411, my $left = pack("i", 0)); $left = unpack("i", $left) } while $left && select(undef, undef, undef, 0.01) == 0;
		system("ip netns exec B ss -tnH state established state close-wait sport = :$port");
		POSIX::write(8, "$port $bytes\n", length("$port $bytes\n"));
		vec(my $in = "", fileno($s), 1) = 1;
		select($in, undef, undef, 20);
		sysread($s, my $byte, 1); print "$port: $!\n";
	}
	to(9030, AF_INET, 6, sub { syswrite($_[0], "x" x 321) }, 9);
	to(9031, AF_INET6, 6, sub { syswrite($_[0], "x" x 5) }, 4);
	to(9032, AF_INET, 6, sub { syswrite($_[0], "x" x 100); shutdown($_[0], 1) }, 30);
	to(9033, AF_INET6, 6, sub { syswrite($_[0], "x" x 10); send($_[0], "u", MSG_OOB); syswrite($_[0], "x" x 10) }, 3);
	to(9034, AF_INET, $ENV{mptcp}, sub { syswrite($_[0], "x" x 50) }, 20) if $ENV{mptcp};
END
mptcp=$mptcp trace-cmd record-skb -b 8192 -o "$OUT/trace.dat" -p 9030-9034 -- ip netns exec A perl "$OUT/client" >"$OUT/client.out" 2>"$OUT/said"
nothing_lost "$OUT/said"
cat "$OUT/client.out" "$OUT/read"
trace-cmd report-skb -i "$OUT/trace.dat" --why >"$OUT/why" 2>/dev/null
cat "$OUT/why"
# bytes_are PORT SENT: check that --why, --packet and JSON show the same number of unread bytes: SENT minus
# the bytes that the server has read
bytes_are() {
	local n number want
	n=$(($2 - $(sed -n "s/^$1 //p" "$OUT/read")))
	want="closed with $n unread byte$([ "$n" = 1 ] || echo s)( |;|$)"
	has "$(grep -EA 1 ":$1 > .*: TCP reset\$" "$OUT/why")" "^    sent by perl-[0-9]+ in \\S+: $want" "port $1 in --why"
	number=$(sed -nE "s/^#([0-9]+) .*:$1 > .*: TCP reset$/\1/p" "$OUT/why")
	has "$(trace-cmd report-skb -i "$OUT/trace.dat" --packet "$number" 2>/dev/null)" "^-- #$number is a TCP reset, .*: $want" "port $1 in --packet"
	is "$(jq -r "select(.what == \"reset\" and .packets[0] == $number) | .unread_bytes" "$OUT/json")" "$n" "port $1 in JSON"
	all=$((all + n))
}
all=0
trace-cmd report-skb -i "$OUT/trace.dat" --why --json >"$OUT/json" 2>/dev/null
bytes_are 9030 321
bytes_are 9031 5
bytes_are 9032 100
bytes_are 9033 21
has "$(cat "$OUT/client.out")" '^(ESTAB +)?321 .*:9030' "the queue that ss shows"
has_not "$(grep -A 1 ':9034 .*: TCP reset$' "$OUT/why")" 'unread byte' "MPTCP: not known"
trace-cmd report-skb -i "$OUT/trace.dat" --summary --json 'tcp portrange 9030-9033' >"$OUT/summary" 2>/dev/null
is "$(jq '.happened[] | select(.what == "reset") | .unread_bytes' "$OUT/summary")" "$all" "the sum in the summary"
has "$(jq -r .finding "$OUT/summary")" "^4 TCP resets .*: closed with unread data.* \\($all unread bytes\\)\\.$" "and in its finding"
