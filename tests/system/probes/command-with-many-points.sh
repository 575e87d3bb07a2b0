#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the kernel does not complain if a command is recorded with some hundreds of functions as probe points
# requires: nft socat tcpdump
# tags: long
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/all-traffic.sh"

mapfile -t points < <(all_points | tail -n "${AT_ONCE:-400}")
[ ${#points[@]} -ge 300 ] || fail "only ${#points[@]} functions can be points"

# Record a command with all these probe points. Check only that the kernel does not complain, because no
# counter counts just the packets of the command.
in_a trace-cmd record-skb --detail path -b 16384 -o "$OUT/trace.dat" "${points[@]/#/-g}" -- \
	"$traffic" talk 10.9.0.2 3 9000 7001 2>"$OUT/said" || fail "$(cat "$OUT/said")"
nothing_lost "$OUT/said"
balanced "$OUT/trace.dat"
