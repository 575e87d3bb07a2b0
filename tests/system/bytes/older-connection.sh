#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: in a connection that is older than the recording, report-skb --requests takes the right end as the client, also with a translated port
# requires: jq perl
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
. "$(dirname "$0")/../lib/lib.sh"
. "$here/bytes.sh"

cd "$OUT"
two_namespaces
neighbours_known
# The server works 700 ms on each request, and the client thinks for 100 ms. So nearly each recording begins while the server
# works, and the first data that it has are an answer.
cat >server <<'END'
	use Socket; $0 = "server";
	socket(my $s, PF_INET, SOCK_STREAM, 0); setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1); bind($s, sockaddr_in($ARGV[0], INADDR_ANY)) or die; listen($s, 5);
	accept(my $c, $s); while (sysread($c, my $data, 100)) { select(undef, undef, undef, 0.7); syswrite($c, "y" x 20) }
END
cat >client <<'END'
	use Socket; $0 = "client";
	socket(my $c, PF_INET, SOCK_STREAM, 0); connect($c, sockaddr_in($ARGV[0], inet_aton("10.9.0.2"))) or die;
	while (1) { syswrite($c, "x" x 10); sysread($c, my $data, 100); select(undef, undef, undef, 0.1) }
END
ip netns exec B nft -f - <<'END'
	table ip moved { chain in { type nat hook prerouting priority -100; tcp dport 9001 redirect to :40000; }; }
END
background ip netns exec B perl server 9000
background ip netns exec B perl server 40000
wait_for "the server" listening B 9000
wait_for "the other server" listening B 40000
background ip netns exec A perl client 9000
background ip netns exec A perl client 9001
sleep 1

for port in 9000 9000 9001 9001 9001; do
	expression="port $port"
	# With the address translation, the socket of the server has port 40000.
	[ "$port" = 9000 ] || expression="$expression or port 40000"
	trace-cmd record-skb --detail path "$expression" --until time=3s -o trace.dat >out 2>said || fail "$(cat said)"
	nothing_lost said
	trace-cmd report-skb -i trace.dat --requests --json >json 2>/dev/null
	is "$(jq -c 'select(.type == "requests") | .clientless' json)" 0 "connections of port $port without a client"
	matches_schema json "requests of port $port"
	jq -c 'select(.type == "request" and .parts.application_ns) | [.client.name, .server.name, .request_bytes, .response_bytes, (.parts.application_ns / 1e8 | floor)]' json >requests
	cat requests
	is "$(sort requests | uniq -c | sed 's/^ *[0-9]* //')" '["client","server",10,20,7]' "each request of port $port"
done
