#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the examples show what they promise: dropped packets, slow servers, one client of two, one call of a function
# requires: nft
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

examples=$top/examples
two_namespaces

# dropped.sh: a rule in B drops pings and counts them.
in_b nft -f - <<END
table inet no {
	counter pings { }
	chain in {
		type filter hook input priority 0;
		icmp type echo-request counter name pings drop
	}
}
END
in_a "$examples/dropped.sh" ping -q -c 3 -i 0.2 -W 1 10.9.0.2 >"$OUT/dropped" 2>"$OUT/said"
counted=$(packets_of B inet no pings)
is "$counted" 3 "nft's rule dropped the pings"
is "$(grep -c 'echo request .* dropped .*NETFILTER_DROP' "$OUT/dropped")" "$counted" "dropped.sh shows as many, and why"

# slow.sh: a server takes 0.4 s to answer, and the client measures how long it waited.
ip netns exec B socat TCP-LISTEN:9000,reuseaddr,fork SYSTEM:'sleep 0.4; head -n 1' &
# Kill the server and the children that it forked for clients.
at_exit eval 'kill $(ip netns pids B) 2>/dev/null; wait'
listening() { in_b ss -Hltn 'sport = :9000' | grep -q .; }
wait_for "the server" listening
# ask: send requests as long as the file "going" exists, and print how many milliseconds each answer took
ask() {
	while [ -e "$OUT/going" ]; do
		# shellcheck disable=SC2016 # for the inner shell
		in_a bash -c 'start=$(date +%s%N); exec 3<>/dev/tcp/10.9.0.2/9000; echo hi >&3; read -r x <&3
			echo $((($(date +%s%N) - start) / 1000000))'
	done
}
# slow: run slow.sh while clients ask. Set $longest if it names the application. The recording can end while the
# application has a request; on a busy machine, that wait can be the longest one.
slow() {
	touch "$OUT/going"
	ask >"$OUT/waited" &
	in_b "$examples/slow.sh" 9000 "$(as_long 6)" >"$OUT/slow" 2>"$OUT/said"
	rm "$OUT/going"
	wait $!
	longest=$(sed -nE 's/^longest gap ([0-9.]+) (m?s): .*(the application had the request and had not answered|still waiting at the end: request not answered).*/\1 \2/p' "$OUT/slow" "$OUT/said" |
		awk '{ print $2 == "s" ? $1 * 1000 : int($1) }')
}
slow
# About once in a hundred runs the recording lacks the reader of the first request, for a reason that is not
# known yet. The output then says less.
if [ -z "$longest" ] && grep -q '^longest gap .*the socket had the request, and no answer was sent' "$OUT/slow"; then
	cp "$OUT/slow" "$OUT/slow.first"
	slow
fi
[ -n "$longest" ] || fail "slow.sh does not name the application: $(cat "$OUT/slow" "$OUT/said")"
# The output has three digits, so a time of more than a second is rounded by up to 5 ms.
[ "$longest" -ge 400 ] && [ $((longest - 5)) -le "$(sort -n "$OUT/waited" | tail -n 1)" ] || fail "slow.sh: $longest ms"
ok "slow.sh: the server's $longest ms are the application's"

# client.sh: one client of two.
in_a ip addr add 10.9.0.3/24 dev va
connect() {
	local from
	while [ -e "$OUT/going" ]; do
		for from in 10.9.0.1 10.9.0.3; do
			in_a socat -u OPEN:/dev/null "TCP:10.9.0.2:9000,bind=$from"
		done
	done
}
touch "$OUT/going"
connect &
in_b "$examples/client.sh" 10.9.0.3 9000 "$(as_long 4)" >"$OUT/client" 2>"$OUT/said"
rm "$OUT/going"
wait $!
has "$(cat "$OUT/client")" '^ *[0-9]+ .*tcp 10.9.0.3:[0-9]+ > 10.9.0.2:9000' "client.sh shows the client's flows"
has_not "$(cat "$OUT/client")" '10\.9\.0\.1:' "packets of other clients"

# Without traffic, the examples say so and suggest what to try.
silent() { # EXAMPLE…
	local status=0
	in_b "$examples/$1" "${@:2}" >/dev/null 2>"$OUT/said" || status=$?
	is "$status" 0 "$1 without traffic"
	has "$(cat "$OUT/said")" '^0 packets matched' "it says that no packet matched"
	has "$(cat "$OUT/said")" 'tcpdump -n -i any' "it suggests what to try"
}
silent slow.sh 9009 1
silent client.sh 10.9.0.3 9009 1

# function.sh: the function's graph is complete, and each call in it was made for the packet.
in_a "$examples/function.sh" tcp_v4_rcv 'tcp dst port 9000' socat -u OPEN:/dev/null TCP:10.9.0.2:9000 >"$OUT/function"
has "$(sed -n '/./{p;q}' "$OUT/function")" '^tcp_v4_rcv\(\) \{ /\* #1 tcp 10.9.0.1:[0-9]+ > 10.9.0.2:9000 ' "function.sh begins with the call"
is "$(grep -c '{' "$OUT/function")" "$(grep -c '^ *}' "$OUT/function")" "as many calls end as began"
is "$(tail -n 1 "$OUT/function" | cut -c 1)" '}' "the last line ends the graph"
