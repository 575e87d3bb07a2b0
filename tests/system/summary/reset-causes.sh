#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why names the cause of a TCP reset: a rule, a closed listener, a disconnect; and never a wrong cause
# requires: nft perl ss
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/resets.sh"

input_rules 'tcp dport 9010 reject with tcp reset'
reset_server 4 9011 9012 9013 9014 9015
record_resets 9010-9015 <<'END'
	to(9010, AF_INET);
	my $queued = to(9011, AF_INET);
	# The connection waits in the accept queue.
	order("close 9011");
	sysread($queued, my $byte, 1); print "9011: $!\n";
	my $disconnected = to(9012, AF_INET);
	# Disconnect with connect() to AF_UNSPEC.
	connect($disconnected, pack("S x14", 0)) or print "9012: $!\n";
	my $destroyed = to(9013, AF_INET);
	system("ss -K dst 10.9.0.2 dport = 9013 >/dev/null");
	sysread($destroyed, $byte, 1); print "9013: $!\n";
	my $silent = to(9014, AF_INET);
	silent(9014);
	setsockopt($silent, SOL_SOCKET, SO_KEEPALIVE, 1);
	# Set TCP_KEEPIDLE, TCP_KEEPINTVL and TCP_USER_TIMEOUT.
	setsockopt($silent, 6, 4, 1); setsockopt($silent, 6, 5, 1); setsockopt($silent, 6, 18, 1500);
	sysread($silent, $byte, 1); print "9014: $!\n";
	# The same after shutdown(): the connection is in the state FIN_WAIT2, but its socket is open.
	my $half = to(9015, AF_INET);
	shutdown($half, 1);
	select(undef, undef, undef, 0.2);
	silent(9015);
	setsockopt($half, SOL_SOCKET, SO_KEEPALIVE, 1);
	setsockopt($half, 6, 4, 1); setsockopt($half, 6, 5, 1); setsockopt($half, 6, 18, 1500);
	sysread($half, $byte, 1); print "9015: $!\n";
END
is "$(cat "$OUT/client.out")" "9010: Connection refused
9011: Connection reset by peer
9013: Software caused connection abort
9014: Connection timed out
9015: Connection timed out" "the errors of the client"
explain_resets

# cause PORT SIDE TEXT: check that --why explains a reset with TEXT. SIDE is "from" if PORT sent the reset,
# and "to" if PORT received it.
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
# Linux before 6.11 does not tell this from the end of FIN_WAIT2.
cause 9015 to "by this machine: (the peer did not answer keepalive probes \([0-9]+ without an answer, TCP_USER_TIMEOUT 1500 ms\)|a timer of TCP ran out)"
reset_shows "10.9.0.2:9010 > \\S+" "tcp dport 9010 .*reject with tcp reset"
reset_shows "\\S+ > 10.9.0.2:9014" "^TcpExtTCPAbortOnTimeout +[1-9]"
