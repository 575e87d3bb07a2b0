#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a ring counts each packet at the highest rate, and its memory use does not grow for minutes
# requires: nft
# tags: long
# timeout: 1200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/flood.sh"
. "$here/memory.sh"

seconds=${LOAD_SECONDS:-600}

trace-cmd record-skb --detail path --ring 4M -o "$OUT/ring.dat" 'udp portrange 9000-9001' 2>"$OUT/said" &
recorder=$!
at_exit stop $recorder
wait_for "a ring" armed
before=$(packets_of B inet witness come)
flood 5
most=$(available)
least=$most
# Measure the time, because a flood of 15 seconds may end late.
began=$SECONDS
while [ $((SECONDS - began)) -lt "$seconds" ]; do
	flood 15
	now=$(available)
	echo "# $((SECONDS - began)) s: $now KB available, $(packets_of B inet witness come) packets"
	[ "$now" -ge "$least" ] || least=$now
done
kill -INT $recorder
wait $recorder || fail "the ring: $(cat "$OUT/said")"
come=$(packets_of B inet witness come)
is "$(said 'packets matched')" "$((come - before))" "packets of $seconds seconds: as many matched as nftables counted"
[ $((most - least)) -lt 8192 ] || fail "$((most - least)) KB of memory were used up"
ok "memory is flat: at most $((most - least)) KB less"
