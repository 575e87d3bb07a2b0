#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: for a wait that had not ended, the summary suggests a command that names the process or shows the queue
# requires: perl ss tc jq
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
neighbours_known

# The server on port 9000 accepts connections and never reads. That on port 9001 never accepts. That on port 9002 answers the
# first request and reads the others. The socket on port 9003 is for UDP and is never read.
cat >"$OUT/servers" <<'END_OF_PERL'
	use Socket;
	my ($port, $name) = @ARGV;
	$0 = $name;
	my $type = $port == 9003 ? SOCK_DGRAM : SOCK_STREAM;
	socket(my $s, PF_INET, $type, 0);
	bind($s, sockaddr_in($port, INADDR_ANY)) or die;
	listen($s, 5) if $type == SOCK_STREAM;
	sleep 1000 if $port == 9001 || $port == 9003;
	accept(my $c, $s);
	sleep 1000 if $port == 9000;
	sysread($c, my $request, 100);
	syswrite($c, "answer\n");
	sysread($c, $request, 100) while 1;
END_OF_PERL
for port in 9000 9001 9002 9003; do
	background ip netns exec B perl "$OUT/servers" $port "slow-$port"
done
for port in 9000 9001 9002; do
	wait_for "the server on port $port" listening B $port
done
wait_for "the socket on port 9003" udp_listening B 9003
cat >"$OUT/client" <<'END_OF_PERL'
	use Socket;
	socket(my $s, PF_INET, SOCK_STREAM, 0);
	connect($s, sockaddr_in($ARGV[0], inet_aton("10.9.0.2"))) or die;
	syswrite($s, "a request\n");
	sysread($s, my $answer, 100) if $ARGV[0] == 9002;
	syswrite($s, "another request\n") if $ARGV[0] == 9002;
	select(undef, undef, undef, 0.7);
END_OF_PERL

# suggests FINDING PATTERN FILTER COMMAND…: record COMMAND in A. COMMAND may end with status 1, as ping does without an answer. The
# finding must match FINDING, and the output of the command that follows it must match PATTERN.
suggests() {
	local see ns
	trace-cmd record-skb --detail path -o "$OUT/trace.dat" "$3" -- ip netns exec A "${@:4}" >"$OUT/stdout" 2>"$OUT/said" ||
		[ $? = 1 ] || fail "the recording: $(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	trace-cmd report-skb -i "$OUT/trace.dat" >"$OUT/summary" 2>"$OUT/stderr"
	cat "$OUT/summary"
	# The finding can take two lines.
	has "$(tr '\n' ' ' <"$OUT/summary")" "$1" "the finding"
	is "$(awk '$0 == "" { exit } { n++ } END { print n <= 24 }' "$OUT/summary")" 1 "the summary has at most 24 lines"
	see=$(sed -n 's/^ see: //p' "$OUT/summary")
	ns=$(sed -n 's/.*    # in network namespace //p' <<<"$see")
	see=${see%    \# in network*}
	has "$(ip netns exec "$ns" sh -c "$see")" "$2" "\"$see\" in $ns"
	has "$(trace-cmd report-skb --summary --json -i "$OUT/trace.dat" | jq -r '.waiting[] | "\(.command) in \(.netns_name)"')" \
		"^$(sed 's/[]|.*$[]/\\&/g' <<<"$see") in $ns\$" "the same command in JSON"
	has "$(grep -A 3 '^next: ' "$OUT/said")" "^ see: $(sed 's/[]|.*$[]/\\&/g' <<<"$see")" "and at the end of the recording"
}

suggests 'tcp 10\.9\.0\.2:9000 did not read 1 packet' '^CLOSE-WAIT +1[01] .*:9000 .*"slow-9000"' 'tcp port 9000' perl "$OUT/client" 9000
suggests 'tcp 10\.9\.0\.2:9001 did not read 1 packet' '^LISTEN +1 .*:9001 .*"slow-9001"' 'tcp port 9001' perl "$OUT/client" 9001
suggests 'tcp 10\.9\.0\.2:9002 did not answer the last data of 1 connection' ':9002 .*"slow-9002"' 'tcp port 9002' perl "$OUT/client" 9002
suggests 'udp 10\.9\.0\.2:9003 did not read 1 packet' '^UNCONN +[1-9].*:9003 .*"slow-9003"' 'udp port 9003' \
	bash -c 'echo x >/dev/udp/10.9.0.2/9003; sleep 0.7'
suggests 'still waited .* for the link-layer address of its neighbour' '^10\.9\.0\.77 .*(INCOMPLETE|FAILED)' 'icmp' ping -q -c 1 -W 0.7 10.9.0.77
tc -n A qdisc add dev va root netem delay 100s
suggests 'still waited .* in the queueing discipline' '^qdisc netem .* delay 100s' 'udp port 9003' \
	bash -c 'echo x >/dev/udp/10.9.0.2/9003; sleep 0.7'
