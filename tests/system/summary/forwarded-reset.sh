#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a reset that a router only forwards is not said to be sent by the router, if the filter matches it only on its way out
# requires: perl
# timeout: 200

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
three_namespaces
background ip netns exec B socat TCP-LISTEN:9000,fork,reuseaddr PIPE
wait_for "the server" listening B 9000
resets() { ip netns exec A nstat -asz TcpOutRsts | awk '/^TcpOutRsts/ { print $2 }'; }
before=$(resets)
trace-cmd record-skb -p 9000 --netns R -i rb -o trace.dat -- ip netns exec A perl -MSocket -e '
	socket(my $c, PF_INET, SOCK_STREAM, 0); connect($c, sockaddr_in(9000, inet_aton("10.8.0.2"))) or die;
	setsockopt($c, SOL_SOCKET, SO_LINGER, pack("ii", 1, 0)); close($c);' >out 2>said || fail "$(cat said)"
nothing_lost said
is "$(($(resets) - before))" 1 "the resets that A has sent"
trace-cmd report-skb -i trace.dat >summary 2>/dev/null
trace-cmd report-skb -i trace.dat --why >why 2>/dev/null
cat summary why
has "$(cat summary)" 'TCP reset' "the reset"
has_not "$(cat summary why)" 'sent by this machine' "the origin of the reset"
