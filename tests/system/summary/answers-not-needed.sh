#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the finding blames no server whose answers do not match the filter, or whose client sends data after the server has closed
# requires: jq perl
# timeout: 200

# Network: (10.70.0.1) d0 A (10.9.0.1) va --- vb (10.9.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/finding.sh"

two_namespaces
neighbours_known
# The server on port 9000 sends a greeting and waits. That on port 9001 answers, and never closes a connection. That on port
# 9002 answers, closes its direction of the connection, and reads on, as web servers do.
cat >"$OUT/server" <<'END_OF_PERL'
	use Socket;
	my ($port) = @ARGV;
	socket(my $s, PF_INET, SOCK_STREAM, 0);
	setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1);
	bind($s, sockaddr_in($port, INADDR_ANY)) or die;
	listen($s, 5);
	while (accept(my $c, $s)) {
		syswrite($c, "greeting\n") if $port == 9000;
		push @open, $c and next if $port == 9000;
		sysread($c, my $request, 100);
		syswrite($c, "answer\n");
		shutdown($c, 1) if $port == 9002;
		1 while sysread($c, $request, 100);
		push @open, $c if $port == 9001;
	}
END_OF_PERL
background ip netns exec B perl "$OUT/server" 9000
background ip netns exec A perl "$OUT/server" 9001
background ip netns exec B perl "$OUT/server" 9002
wait_for "the greeting server" listening B 9000
wait_for "the server of A" listening A 9001
wait_for "the closing server" listening B 9002

# record FILE FILTER COMMAND: record COMMAND in A. It prints what it has received.
record() {
	trace-cmd record-skb -o "$OUT/$1" "$2" -- ip netns exec A bash -c "$3" >"$OUT/stdout" 2>"$OUT/said" || fail "the recording: $(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	finding_of "$OUT/$1"
}

# The filter matches requests to B, and answers to a client in B.
record one-way.dat 'tcp and dst host 10.9.0.2' 'exec 3<>/dev/tcp/10.9.0.2/9000; read -r x <&3; echo "$x"
	ip netns exec B bash -c "exec 4<>/dev/tcp/10.9.0.1/9001; echo x >&4; read -r x <&4; echo \$x; sleep 0.7"'
is "$(tr '\n' ' ' <"$OUT/stdout")" "greeting answer " "what the clients have received"
has_not "$finding" 'did not answer|possibly dropped' "one direction: the finding"
has_not "$(jq -r '.waiting[].what' "$OUT/summary.json")" 'connection not answered' "one direction: the waits"

# A client of TLS sends a last message after the server has closed.
record closed.dat 'tcp port 9002' 'exec 3<>/dev/tcp/10.9.0.2/9002; echo x >&3; cat <&3; echo bye >&3; sleep 0.7'
is "$(cat "$OUT/stdout")" "answer" "what the client has received"
has_not "$finding" 'did not answer' "after the server has closed: the finding"

# The same without the server's FIN: the last data have no answer.
record open.dat 'tcp port 9001' 'ip netns exec B bash -c "exec 3<>/dev/tcp/10.9.0.1/9001; echo x >&3; read -r x <&3; echo bye >&3; sleep 0.7"'
has "$finding" '^tcp 10\.9\.0\.1:9001 did not answer the last data of 1 connection until the end, at least [0-9.]+ m?s long \(#[0-9]+\)\.$' "no answer: the finding"

# The filter matches the answers of UDP, but neither the SYN-ACKs nor the acknowledgements of TCP.
background ip netns exec B socat UDP-RECVFROM:9003,fork PIPE
wait_for "the UDP server" udp_listening B 9003
record syns.dat 'tcp[tcpflags] == tcp-syn or udp port 9003' 'exec 3<>/dev/tcp/10.9.0.2/9000; read -r x <&3; echo "$x"
	exec 4<>/dev/udp/10.9.0.2/9003; echo x >&4; read -r -t 3 x <&4; echo "$x"; sleep 0.7'
is "$(tr '\n' ' ' <"$OUT/stdout")" "greeting x " "what the clients have received"
has_not "$finding" 'did not answer|possibly dropped' "SYNs only: the finding"

# The filter matches all answers, and there are none: what a dummy device sends gets to no host.
ip -n A link add d0 type dummy
ip -n A address add 10.70.0.1/24 dev d0
ip -n A link set d0 up
record silent.dat 'tcp port 9000' 'timeout 1.5 bash -c "exec 3<>/dev/tcp/10.70.0.2/9000" || true'
has "$finding" '^tcp 10\.70\.0\.2:9000 did not answer 1 connection request until the end' "no host: the finding"
