#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: slow.sh shows that the application behind a port is slow, and suggests what to try if there is no traffic
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

examples=$top/examples
two_namespaces

# The server takes 0.4 s to answer. The client measures how long it waits.
ip netns exec B socat TCP-LISTEN:9000,reuseaddr,fork SYSTEM:'sleep 0.4; head -n 1' &
# Kill the server and the children that it forked for clients.
at_exit eval 'kill $(ip netns pids B) 2>/dev/null; wait'
listening() { in_b ss -Hltn 'sport = :9000' | grep -q .; }
wait_for "the server" listening
# ask: send requests while the file "going" exists, and print how many milliseconds each answer took
ask() {
	while [ -e "$OUT/going" ]; do
		# shellcheck disable=SC2016 # for the inner shell
		in_a bash -c 'start=$(date +%s%N); exec 3<>/dev/tcp/10.9.0.2/9000; echo hi >&3; read -r x <&3
			echo $((($(date +%s%N) - start) / 1000000))'
	done
}
# slow: run slow.sh while a client sends requests. If slow.sh names the application, set $longest to the
# time that it prints. If the recording ends while the application has a request, slow.sh may print the time
# of that unfinished request.
slow() {
	touch "$OUT/going"
	ask >"$OUT/waited" &
	in_b "$examples/slow.sh" 9000 "$(as_long 6)" >"$OUT/slow" 2>"$OUT/said"
	rm "$OUT/going"
	wait $!
	longest=$(sed -nE 's/^longest gap ([0-9.]+) (m?s): .*(the application had the client.s data and had sent nothing|still waiting at the end: last data not answered).*/\1 \2/p' "$OUT/slow" "$OUT/said" |
		awk '{ print $2 == "s" ? $1 * 1000 : int($1) }')
}
slow
# In about one of a hundred runs, the recording does not show who read the first request. The reason is not
# known yet. slow.sh then does not name the application, so run it again.
if [ -z "$longest" ] && grep -q '^longest gap .*the socket had the client.s data, and no data was sent' "$OUT/slow"; then
	cp "$OUT/slow" "$OUT/slow.first"
	slow
fi
[ -n "$longest" ] || fail "slow.sh does not name the application: $(cat "$OUT/slow" "$OUT/said")"
# slow.sh prints three digits, so it rounds a time of more than a second by up to 5 ms.
[ "$longest" -ge 400 ] && [ $((longest - 5)) -le "$(sort -n "$OUT/waited" | tail -n 1)" ] || fail "slow.sh: $longest ms"
ok "slow.sh: the server's $longest ms are the application's"

# If there is no traffic, the examples must say so and suggest what to try.
silent() { # EXAMPLE…
	local status=0
	in_b "$examples/$1" "${@:2}" >/dev/null 2>"$OUT/said" || status=$?
	is "$status" 0 "$1 without traffic"
	has "$(cat "$OUT/said")" '^0 packets matched' "it says that no packet matched"
	has "$(cat "$OUT/said")" 'tcpdump -n -i any' "it suggests what to try"
}
silent slow.sh 9009 1
