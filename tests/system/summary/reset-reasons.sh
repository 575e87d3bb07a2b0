#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why shows the kernel's own reason of a TCP reset, and names the timer that sent the reset
# requires: nft perl nstat
# tags: slow
# timeout: 250

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/resets.sh"

input_rules
reset_server 6 9021 9022 9023 9024
orphans=/proc/sys/net/ipv4/tcp_max_orphans
at_exit eval "echo $(cat $orphans) >$orphans"
witness=/sys/kernel/tracing/instances/witness
mkdir $witness
at_exit rmdir $witness
echo 1 >$witness/events/tcp/tcp_send_reset/enable
record_resets 9020-9023 <<'END'
	# Port 9020 has no listener.
	to(9020, AF_INET); to(9020, AF_INET6);
	# Set TCP_KEEPIDLE, TCP_KEEPINTVL and TCP_KEEPCNT.
	my $probed = to(9021, AF_INET6);
	silent(9021);
	setsockopt($probed, SOL_SOCKET, SO_KEEPALIVE, 1);
	setsockopt($probed, 6, 4, 1); setsockopt($probed, 6, 5, 1); setsockopt($probed, 6, 6, 2);
	sysread($probed, $byte, 1); print "9021: $!\n";
	# TCP_LINGER2
	my $lingers = to(9022, AF_INET);
	setsockopt($lingers, 6, 8, pack("l", -1));
	shutdown($lingers, 1); select(undef, undef, undef, 0.5); close($lingers);
	# Before the kernel sends this segment again, let more sockets exist without a process than
	# tcp_max_orphans allows. The kernel then sends a reset instead.
	my $orphan = to(9023, AF_INET);
	silent(9023);
	syswrite($orphan, "x"); close($orphan);
	# Only the initial namespace can set tcp_max_orphans.
	system("nsenter --net=/proc/1/ns/net sysctl -q net.ipv4.tcp_max_orphans=0");
	for (1 .. 300) {
		last if `ip netns exec A nstat -asz TcpExtTCPAbortOnMemory` =~ /Memory\s+[1-9]/;
		select(undef, undef, undef, 0.1);
	}
END
grep tcp_send_reset: $witness/trace >"$OUT/witness"
cat "$OUT/witness"
ip netns exec A nstat -asz TcpOutRsts TcpExtTCPAbortOnTimeout TcpExtTCPAbortOnMemory TcpExtTCPAbortOnLinger >"$OUT/nstat"
cat "$OUT/nstat" "$OUT/client.out"
has "$(cat "$OUT/nstat")" 'TCPAbortOnTimeout +1 ' "one connection of the client was ended by a timer"
has "$(cat "$OUT/nstat")" 'TCPAbortOnMemory +1 ' "one connection was ended by the limit of orphans"
explain_resets

# --why must show the same port and reason for each reset as the kernel's own tracepoint. Linux 6.1 has no
# reasons for resets.
by_kernel=$(sed -nE 's/.*[]0-9]:(902[0-9]) .*reason=([A-Z0-9_]+).*/\1 \2/p' "$OUT/witness" | grep -v NOT_SPECIFIED | sort -u || :)
by_report=$(sed -nE '/: TCP reset$/ { N; s/.*:(902[0-9])\>.*the kernel.s reason: ([A-Z0-9_]+)$/\1 \2/p }' "$OUT/why" | sort -u)
is "$by_report" "$by_kernel" "the reasons of the kernel's tracepoint"
if grep -q reason= "$OUT/witness"; then
	has "$by_report" "9020 NO_SOCKET" "a closed port"
	has "$by_report" "9021 TCP_KEEPALIVE_TIMEOUT" "keepalive probes"
fi
# cause PORT TEXT: check that --why explains the reset of a connection to PORT with TEXT
cause() {
	has "$(grep -EA 1 "> \S*:$1: TCP reset\$" "$OUT/why")" "$2" "port $1"
}
cause 9021 "by this machine: the peer did not answer keepalive probes \([0-9] without an answer\)"
cause 9022 "by perl-[0-9]+ in \S+: closed (.* )?with a negative TCP_LINGER2"
cause 9023 "by this machine: too many sockets without a process"
reset_shows "10.9.0.2:9020 > \\S+" "^TcpOutRsts +[1-9]"
reset_shows "\\S+ > 10.9.0.2:9023" "^TcpExtTCPAbortOnMemory +[1-9]"
reset=$(sed -nE 's/^#([0-9]+) .*:9021: TCP reset$/\1/p' "$OUT/why")
has "$(trace-cmd report-skb -i "$OUT/trace.dat" --packet "$reset")" "^-- #$reset is a TCP reset, sent by .*keepalive" "--packet"
