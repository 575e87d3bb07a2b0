#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: client.sh shows only the packets of one of two clients, and suggests what to try if there is no traffic
# tags: slow
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

examples=$top/examples
two_namespaces

echo_server B 9000

# client.sh must show only the packets of one of two clients.
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

# If there is no traffic, the examples must say so and suggest what to try.
silent() { # EXAMPLE…
	local status=0
	in_b "$examples/$1" "${@:2}" >/dev/null 2>"$OUT/said" || status=$?
	is "$status" 0 "$1 without traffic"
	has "$(cat "$OUT/said")" '^0 packets matched' "it says that no packet matched"
	has "$(cat "$OUT/said")" 'tcpdump -n -i any' "it suggests what to try"
}
silent client.sh 10.9.0.3 9009 1
