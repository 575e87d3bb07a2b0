#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: each possible probe point is used, some hundreds at a time, under all kinds of traffic: the kernel does not complain, and nftables counts the same packets
# requires: nft socat tcpdump
# tags: long
# timeout: 1800

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/all-traffic.sh"

# The device accepts at most 512 probe points, and the built-in table needs some of them.
at_once=${AT_ONCE:-400}

all_points >"$OUT/points"
nr=$(wc -l <"$OUT/points")
[ "$nr" -gt 1000 ] || fail "only $nr functions can be points"
for ((from = 1; from <= nr; from += at_once)); do
	mapfile -t points < <(sed -n "$from,$((from + at_once - 1))p" "$OUT/points")
	was=$(($(counted A) + $(counted B)))
	start_recording --detail path -b 16384 "${points[@]/#/-g}" -p 9000,9002
	mix >/dev/null
	stop_recording
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets" 2>&1 || fail "report-skb: $(tail -n 3 "$OUT/packets")"
	is "$(sed -n 's/ packets matched.*//p' "$OUT/said")" $(($(counted A) + $(counted B) - was)) \
		"$from to $((from + ${#points[@]} - 1)) of $nr, from ${points[0]} on: packets of ports 9000 and 9002"
	has_not "$(cat "$OUT/packets")" "unknown|QUEUE_PURGE" "packets without a verdict"
	balanced "$OUT/trace.dat"
done
