#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why shows the kernel's own reason of a TCP reset, and names the timer that sent the reset
# requires: nft perl nstat
# timeout: 250

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
neighbours_known
in_b nft -f - <<-'END'
	table inet rules {
		chain in {
			type filter hook input priority 0;
		}
	}
END
ip netns exec B perl -e 'use Socket qw(:DEFAULT inet_pton pack_sockaddr_in6); $| = 1;
	for my $port (9021 .. 9024) {
		socket($s{$port}, PF_INET6, SOCK_STREAM, 6);
		setsockopt($s{$port}, SOL_SOCKET, SO_REUSEADDR, 1);
		bind($s{$port}, pack_sockaddr_in6($port, inet_pton(AF_INET6, "::")));
		listen($s{$port}, 5);
	}
	sleep 1000' &
at_exit stop $!
wait_for "the server" listening B 9024
orphans=/proc/sys/net/ipv4/tcp_max_orphans
at_exit eval "echo $(cat $orphans) >$orphans"
cat >"$OUT/client" <<'END'
	use Socket qw(:DEFAULT inet_pton pack_sockaddr_in6);
	sub to {
		my ($port, $family) = @_;
		my $to = $family == AF_INET ? sockaddr_in($port, inet_aton("10.9.0.2")) :
			pack_sockaddr_in6($port, inet_pton(AF_INET6, "fd09::2"));
		socket(my $s, $family, SOCK_STREAM, 6);
		connect($s, $to) or print "$port: $!\n";
		return $s;
	}
	sub silent { system("ip netns exec B nft add rule inet rules in tcp dport $_[0] drop"); }
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
	# When the kernel sends this segment again, more sockets without a process exist than tcp_max_orphans
	# allows.
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
witness=/sys/kernel/tracing/instances/witness
mkdir $witness
at_exit rmdir $witness
echo 1 >$witness/events/tcp/tcp_send_reset/enable
trace-cmd record-skb -b 8192 -o "$OUT/trace.dat" -p 9020-9023 -- \
	ip netns exec A perl "$OUT/client" >"$OUT/client.out" 2>"$OUT/said"
nothing_lost "$OUT/said"
grep tcp_send_reset: $witness/trace >"$OUT/witness"
cat "$OUT/witness"
ip netns exec A nstat -asz TcpOutRsts TcpExtTCPAbortOnTimeout TcpExtTCPAbortOnMemory TcpExtTCPAbortOnLinger >"$OUT/nstat"
cat "$OUT/nstat" "$OUT/client.out"
has "$(cat "$OUT/nstat")" 'TCPAbortOnTimeout +1 ' "one connection of the client was ended by a timer"
has "$(cat "$OUT/nstat")" 'TCPAbortOnMemory +1 ' "one connection was ended by the limit of orphans"
trace-cmd report-skb -i "$OUT/trace.dat" --why >"$OUT/why" 2>/dev/null
cat "$OUT/why"

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
reset=$(sed -nE 's/^#([0-9]+) .*:9021: TCP reset$/\1/p' "$OUT/why")
has "$(trace-cmd report-skb -i "$OUT/trace.dat" --packet "$reset")" "^-- #$reset is a TCP reset, sent by .*keepalive" "--packet"
