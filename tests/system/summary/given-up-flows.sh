#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a slow request is not called unanswered if the module gave up its flow, because then the answer has the number of another flow
# requires: jq perl
# tags: long
# timeout: 900

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
. "$(dirname "$0")/../lib/lib.sh"
. "$here/finding.sh"

two_namespaces
neighbours_known
traffic=$(program traffic)
ip netns exec B "$traffic" hoard 9001 2304 &
at_exit stop $!
wait_for "the receiver of datagrams" udp_listening B 9001
# The server answers the first request at once. The answer to the second one waits for the file "go".
cat >"$OUT/server" <<'END'
	use Socket;
	socket(my $s, PF_INET, SOCK_STREAM, 0); setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1); bind($s, sockaddr_in(9000, INADDR_ANY)) or die; listen($s, 5);
	while (accept(my $c, $s)) { while (sysread($c, my $request, 100)) { select(undef, undef, undef, 0.1) until $request ne "slow" || -e "$ARGV[0]/go"; syswrite($c, "answer") } }
END
background ip netns exec B perl "$OUT/server" "$OUT"
wait_for "the server" listening B 9000
cat >"$OUT/client" <<'END'
	exec 3<>/dev/tcp/10.9.0.2/9000
	echo -n quick >&3; head -c 6 <&3 >/dev/null
	echo -n slow >&3
	for turn in 0 1 2 3 4 5 6 7; do "$traffic" crowd 10.9.0.2 9001 5000 $((turn * 5000 + 10000)); done
	touch "$OUT/go"; head -c 6 <&3
	sleep 1
END
export traffic OUT
trace-cmd record-skb -q --detail path -b 65536 -o "$OUT/trace.dat" 'udp port 9001 or tcp port 9000' -- ip netns exec A bash "$OUT/client" >"$OUT/got" 2>"$OUT/said" || fail "$(cat "$OUT/said")"
is "$(cat "$OUT/got")" answer "what the client got"
has "$(trace-cmd report -R -i "$OUT/trace.dat" 2>/dev/null | grep -o 'record_skb lost_flows=[0-9]*')" 'lost_flows=[1-9]' "flows were given up"
finding_of "$OUT/trace.dat"
trace-cmd report-skb -i "$OUT/trace.dat" --summary --json 2>/dev/null | jq -r '.waiting[].what' >"$OUT/waits"
has_not "$(cat "$OUT/waits") $finding" 'not answer' "the waits and the finding"
