#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why tells how full the backlog of TCP sockets was, IPv4 and IPv6
# requires: ss perl nstat
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
. "$(dirname "$0")/../lib/lib.sh"
. "$here/why-says.sh"

cd "$OUT"
two_namespaces
neighbours_known
background ip netns exec B perl "$here/locked-sockets.pl" 9213 2
at_exit eval 'pkill -KILL -x locker || true'
wait_for "the server" listening B 9213
cat >client <<'END'
	use Socket qw(:DEFAULT inet_pton pack_sockaddr_in unpack_sockaddr_in pack_sockaddr_in6 unpack_sockaddr_in6);
	sub sum { my $sum = 0; $sum += $_ for unpack("n*", $_[0]); $sum = ($sum >> 16) + ($sum & 0xffff) for 1, 2; return ~$sum & 0xffff }
	# flood: send segments of 1000 bytes to the connection from a raw socket, with gaps between their
	# sequence numbers
	sub flood {
		my ($family, $from, $to, $port, $sockaddr) = @_;
		socket(my $raw, $family, SOCK_RAW, 255) or die;
		for my $n (1 .. 400) {
			my $tcp = pack("nnNNCCnnn", $port, 9213, $n * 5000, 1, 5 << 4, 0x10, 1000, 0, 0) . "x" x 1000;
			substr($tcp, 16, 2) = pack("n", sum($from . $to . pack($family == AF_INET ? "nn" : "NN", $family == AF_INET ? (6, 1020) : (1020, 6)) . $tcp));
			my $ip = $family == AF_INET ? pack("CCnnnCCna4a4", 0x45, 0, 1040, 0, 0, 64, 6, 0, $from, $to) : pack("NnCCa16a16", 6 << 28, 1020, 6, 64, $from, $to);
			send($raw, "$ip$tcp", 0, $sockaddr);
		}
	}
	for my $family (AF_INET, AF_INET6) {
		my ($from, $to) = map { inet_pton($family, $_) } $family == AF_INET ? ("10.9.0.1", "10.9.0.2") : ("fd09::1", "fd09::2");
		socket(my $s, $family, SOCK_STREAM, 6); push @c, $s;
		connect($s, $family == AF_INET ? pack_sockaddr_in(9213, $to) : pack_sockaddr_in6(9213, $to)) or die;
		syswrite($s, "y" x 100);
		my ($port) = $family == AF_INET ? unpack_sockaddr_in(getsockname($s)) : unpack_sockaddr_in6(getsockname($s));
		my $n = $family == AF_INET ? 1 : 2;
		for (1 .. 600) { last if `grep -ls handle_userfault /proc/[0-9]*/stack | wc -l` >= $n; select(undef, undef, undef, 0.1) }
		flood($family, $from, $to, $port, $family == AF_INET ? pack_sockaddr_in(0, $to) : pack_sockaddr_in6(0, $to));
	}
	# Read the counter before this program ends. Its FINs are dropped from the backlogs, too, and some of
	# them after the recording.
	system("ip netns exec B nstat -asz TcpExtTCPBacklogDrop >dropped");
END
trace-cmd record-skb -b 16384 -o backlog.dat -p 9213 -- ip netns exec A perl client >out 2>said || fail "$(cat said)"
nothing_lost said
ip netns exec B ss -Htanm 'sport = :9213' | sed -n '/ESTAB/{ N; s/\n//; p }' >sockets
drops=$(ip netns exec B nstat -asz TcpExtTCPBacklogDrop | awk '/BacklogDrop/ { print $2 }')
trace-cmd report-skb -i backlog.dat --why >why 2>/dev/null
cat why sockets

# tcp_add_backlog() computes this limit from the receive buffer (rb) and the send buffer (tb). On kernels
# before 6.11, the module cannot look up an IPv6 connection.
addresses=(10.9.0.1)
[ "$VM_KERNEL" = 6.1 ] || addresses+=('fd09::1')
for address in "${addresses[@]}"; do
	value=$(grep -F "$address]:" sockets | sed -E 's/.*skmem:\(r([0-9]+),rb([0-9]+),t[0-9]+,tb([0-9]+),.*,bl([0-9]+),.*/\1 \2 \3 \4/')
	read -r r rb tb bl <<<"$value"
	says "tcp \[?$address\]?:.*:9213: dropped in .*SOCKET_BACKLOG" "backlog of port 9213 was full \\($((r + bl)) of $((2 * rb + tb / 2 + 65536)) bytes of memory waited"
done
least=$(awk '/BacklogDrop/ { print $2 }' dropped)
recorded=$(trace-cmd report-skb -i backlog.dat --list 2>/dev/null | grep -c SOCKET_BACKLOG)
[ "$recorded" -ge "$least" ] && [ "$recorded" -le "$drops" ] || fail "$recorded drops, TcpExtTCPBacklogDrop: $least to $drops"
ok "$recorded drops, as TcpExtTCPBacklogDrop counts them"
