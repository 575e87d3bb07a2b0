#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: reassembled fragments and answered requests are not listed as possible drops: UDP and pings in fragments, neighbour discovery
# tags: long
# requires: perl ping
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
# record COMMAND…: record COMMAND, and write the output of --why to $OUT/why
record() {
	trace-cmd record-skb --why --detail path -b 8192 -o "$OUT/trace.dat" -- ip netns exec A "$@" >"$OUT/out" 2>"$OUT/said" ||
		fail "$(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	trace-cmd report-skb -i "$OUT/trace.dat" --why >"$OUT/why" 2>/dev/null
	trace-cmd report-skb -i "$OUT/trace.dat" --json 2>/dev/null | grep '"type":"packet"' |
		grep -vE '"icmp":."type":13[56],' >"$OUT/json" || :
}
# fine NUMBER WHAT: check the recorded packets. There must be NUMBER of them, without those of neighbour
# discovery, and all must be delivered or consumed.
fine() {
	[ "$(wc -l <"$OUT/json")" = "$1" ] || fail "$2: $(wc -l <"$OUT/json") packets"
	is "$(grep -cE '"what":"(delivered|consumed)"' "$OUT/json")" "$(wc -l <"$OUT/json")" "$2: each packet has a good end"
	has "$(cat "$OUT/why")" '^nothing was dropped' "$2: no possible drop"
}

for address in 10.9.0.2 fd09::2; do
	for size in 56 4000; do
		record ping -c 2 -i 0.2 -s $size $address
		has "$(cat "$OUT/out")" ' 2 received' "the witness, ping, has both answers of $address"
		fine 4 "ping -s $size $address"
	done
done

cat >"$OUT/send.pl" <<'END'
	use Socket qw(:all);
	my ($to) = @ARGV;
	my $six = $to =~ /:/;
	socket(my $s, $six ? AF_INET6 : AF_INET, SOCK_DGRAM, 17) or die;
	my $address = $six ? pack_sockaddr_in6(9000, inet_pton(AF_INET6, $to)) : sockaddr_in(9000, inet_aton($to));
	for (1 .. 2) { send($s, "x" x 4000, 0, $address) or die; select(undef, undef, undef, 0.1) }
END
background ip netns exec B socat -u UDP6-RECV:9000,ipv6only=0 "OPEN:$OUT/received,creat,append"
wait_for "the receiver" udp_listening B 9000
for address in 10.9.0.2 fd09::2; do
	: >"$OUT/received"
	record perl "$OUT/send.pl" $address
	is "$(wc -c <"$OUT/received")" 8000 "the witness, the receiver, has all bytes to $address"
	fine 2 "UDP to $address"
done

# B ignores two requests that arrive in fragments. These must be listed as possible drops.
for name in ipv4/icmp_echo_ignore_all ipv6/icmp/echo_ignore_all; do in_b sysctl -q "net/$name=1"; done
for address in 10.9.0.2 fd09::2; do
	is "$(status_of in_a ping -q -c 1 -W 1 -s 4000 $address)" 1 "the witness, ping, fails"
	has "$(cat "$OUT/stdout")" ' 0 received' "the witness, ping, has no answer of $address"
	is "$(status_of trace-cmd record-skb --why --detail path -o "$OUT/trace.dat" -- ip netns exec A ping -q -c 2 -i 0.2 -W 1 -s 4000 $address)" \
		1 "the recording ends with the status of ping"
	nothing_lost "$OUT/stderr"
	trace-cmd report-skb -i "$OUT/trace.dat" --why >"$OUT/why" 2>/dev/null
	has "$(cat "$OUT/why")" 'echo request id [0-9]+: possibly dropped' "ignored requests to $address are listed"
	has "$(cat "$OUT/why")" '^    and 1 more: ' "both, and nothing else"
done
