#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a wait without an end counts until the module stops matching, and not until the module has detached
# requires: jq
# timeout: 120

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
neighbours_known
traffic=$(program traffic)
in_b "$traffic" collect 9000 >"$OUT/received" &
collector=$!
at_exit stop $collector
wait_for "a receiver" udp_listening B 9000
trace-cmd record-skb -o "$OUT/trace.dat" -p 9000 -- ip netns exec A "$traffic" number 10.9.0.2 9000 3 2>"$OUT/said"
nothing_lost "$OUT/said"
# When the module begins to disarm, it writes the event wall_clock. After it has detached, it writes netns
# events, which have the names of the namespaces. The recording must end at the time of wall_clock.
trace-cmd report -R -t -i "$OUT/trace.dat" 2>/dev/null | sed -nE 's/^.* ([0-9]+)\.([0-9]{9}): +(wall_clock|netns): .*/\1\2 \3/p' >"$OUT/rows"
over=$(awk '$2 == "wall_clock" { over = $1 } END { print over }' "$OUT/rows")
[ "$(awk 'END { print $1 }' "$OUT/rows")" -gt "$over" ] || fail "no row follows the end: $(cat "$OUT/rows")"
is "$(trace-cmd report-skb -i "$OUT/trace.dat" --summary --json 2>/dev/null | jq .last_ns)" "$over" "the end of the recording"
