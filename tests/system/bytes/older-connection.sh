#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: in a connection that is older than the recording, report-skb --requests takes the right end as the client
# requires: jq perl
# timeout: 200

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
	socket(my $s, PF_INET, SOCK_STREAM, 0); setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1); bind($s, sockaddr_in(9000, INADDR_ANY)) or die; listen($s, 5);
	accept(my $c, $s); while (sysread($c, my $data, 100)) { select(undef, undef, undef, 0.7); syswrite($c, "y" x 20) }
END
cat >client <<'END'
	use Socket; $0 = "client";
	socket(my $c, PF_INET, SOCK_STREAM, 0); connect($c, sockaddr_in(9000, inet_aton("10.9.0.2"))) or die;
	while (1) { syswrite($c, "x" x 10); sysread($c, my $data, 100); select(undef, undef, undef, 0.1) }
END
background ip netns exec B perl server
wait_for "the server" listening B 9000
background ip netns exec A perl client
sleep 1

for i in 1 2 3; do
	trace-cmd record-skb --detail path -p 9000 --until time=3s -o trace.dat >out 2>said || fail "$(cat said)"
	nothing_lost said
	trace-cmd report-skb -i trace.dat --requests --json >json 2>/dev/null
	matches_schema json "requests, recording $i"
	jq -c 'select(.type == "request" and .parts.application_ns) | [.client.name, .server.name, .request_bytes, .response_bytes, (.parts.application_ns / 1e8 | floor)]' json >requests
	cat requests
	is "$(sort requests | uniq -c | sed 's/^ *[0-9]* //')" '["client","server",10,20,7]' "each request, recording $i"
done
