#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: two connections follow one another with the same addresses and ports: only the one of the command is recorded
# timeout: 120

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"

cd "$OUT"
peer

# again: make the second connection from a process outside of the command
again() {
	until [ -e free ]; do sleep 0.1; done
	# Try to connect again and again. At first, the server still believes that the first connection
	# exists.
	until in_a "$tasks" abort 10.9.0.2 9000 7777; do sleep 0.1; done
	touch used
}
again 2>again.log &
once='"$0" abort 10.9.0.2 9000 7777; touch free; until [ -e used ]; do sleep 0.1; done'
is "$(followed A same -- sh -c "$once" "$tasks")" 0 "same: exit status"
wait $!
nothing_lost same.said
nothing_of_noise same.dat
is "$(grep -c ' packet: .* ip_output .*:7777 > .* flags=S ' report)" 1 "same: one connection"
is "$(grep -c ' packet: .* ip_output .*:7777 > .* flags=\(R\|RA\|AR\|R\.\) ' report)" 1 \
	"same: from its beginning to its end"
