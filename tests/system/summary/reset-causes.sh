#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why names the cause of a TCP reset: a rule, a closed listener, a disconnect; and never a wrong cause
# requires: nft perl ss
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
neighbours_known
in_b nft -f - <<-'END'
	table inet rules {
		chain in {
			type filter hook input priority 0;
			tcp dport 9010 reject with tcp reset
		}
	}
END
cat >"$OUT/server" <<'END'
	use Socket;
	for my $port (9011 .. 9014) {
		socket($s{$port}, PF_INET, SOCK_STREAM, 6);
		setsockopt($s{$port}, SOL_SOCKET, SO_REUSEADDR, 1);
		bind($s{$port}, sockaddr_in($port, INADDR_ANY));
		listen($s{$port}, 5);
	}
	$| = 1;
	print "ready\n";
	# The client's connection to port 9011 waits in the accept queue.
	<STDIN>;
	close($s{9011});
	sleep 1000;
END
mkfifo "$OUT/close"
ip netns exec B perl "$OUT/server" <"$OUT/close" >"$OUT/ready" &
at_exit stop $!
exec 8>"$OUT/close"
wait_for "the server" listening B 9014
cat >"$OUT/client" <<'END'
	use Socket;
	sub to {
		my $port = shift;
		socket(my $s, PF_INET, SOCK_STREAM, 6);
		connect($s, sockaddr_in($port, inet_aton("10.9.0.2"))) or print "$port: $!\n";
		return $s;
	}
	to(9010);
	my $queued = to(9011);
	open(my $close, ">&=", 8); syswrite($close, "\n");
	sysread($queued, my $byte, 1); print "9011: $!\n";
	my $disconnected = to(9012);
	# Disconnect with connect() to AF_UNSPEC.
	connect($disconnected, pack("S x14", 0)) or print "9012: $!\n";
	my $destroyed = to(9013);
	system("ss -K dst 10.9.0.2 dport = 9013 >/dev/null");
	sysread($destroyed, $byte, 1); print "9013: $!\n";
	my $silent = to(9014);
	system("ip netns exec B nft add rule inet rules in tcp dport 9014 drop");
	setsockopt($silent, SOL_SOCKET, SO_KEEPALIVE, 1);
	# Set TCP_KEEPIDLE, TCP_KEEPINTVL and TCP_USER_TIMEOUT.
	setsockopt($silent, 6, 4, 1); setsockopt($silent, 6, 5, 1); setsockopt($silent, 6, 18, 1500);
	sysread($silent, $byte, 1); print "9014: $!\n";
END
trace-cmd record-skb -b 8192 -o "$OUT/trace.dat" -p 9010-9014 -- \
	ip netns exec A perl "$OUT/client" >"$OUT/client.out" 2>"$OUT/said"
nothing_lost "$OUT/said"
is "$(cat "$OUT/client.out")" "9010: Connection refused
9011: Connection reset by peer
9013: Software caused connection abort
9014: Connection timed out" "the errors of the client"
trace-cmd report-skb -i "$OUT/trace.dat" --why >"$OUT/why" 2>/dev/null
cat "$OUT/why"

# cause PORT SIDE TEXT: check that --why explains a reset with TEXT. If SIDE is "from", PORT sent the reset.
# If SIDE is "to", PORT received it.
cause() {
	local flow="10\\.9\\.0\\.1:[0-9]+ > 10\\.9\\.0\\.2:$1"
	[ "$2" = to ] || flow="10\\.9\\.0\\.2:$1 > 10\\.9\\.0\\.1:[0-9]+"
	has "$(grep -EA 1 "tcp $flow.*: TCP reset\$" "$OUT/why")" "^    sent $3(; the kernel's reason: [A-Z_]+)?\$" "port $1"
}
cause 9010 from '.*: a rule of netfilter: reject'
cause 9011 from '.*: the listener was closed while the connection waited in its accept queue'
cause 9012 to '.*: closed at once \(SO_LINGER with no time\), or disconnected'
# With this filter, the call graph lacks the functions that destroy a socket or handle its timer.
cause 9013 to "by ss-[0-9]+ in \\S+: the socket was destroyed"
cause 9014 to "by this machine: the peer did not answer keepalive probes \([0-9]+ without an answer, TCP_USER_TIMEOUT 1500 ms\)"
