#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if the beginning of a file is cut off, report-skb calls nothing in the file complete, and shows the packets of the rest
# tags: long

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

traffic=$(program traffic)
two_namespaces
background in_b "$traffic" hoard 9000 4000
wait_for "a socket" udp_listening B 9000
trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" -p 9000 -- \
	ip netns exec A "$traffic" number 10.9.0.2 9000 20 2>"$OUT/said" || fail "$(cat "$OUT/said")"

# lines FILE: print how many packets report-skb shows in FILE, and write its messages about losses to
# $OUT/losses
lines() {
	trace-cmd report-skb --list -i "$1" 2>"$OUT/losses" | grep -c ' udp 10\.9\.0\.'
}

whole=$(lines "$OUT/trace.dat")
[ "$whole" -ge 20 ] || fail "$whole packets of twenty sent"
has "$(cat "$OUT/losses")" '^complete: no entries lost$' "the whole file"

# Use trace-cmd split to make a file with only the second half of the recording.
middle=$(trace-cmd report -t -i "$OUT/trace.dat" 2>/dev/null | sed -nE 's/^.* ([0-9]+\.[0-9]{9}): .*/\1/p' |
	sort -n | awk '{ at[NR] = $1 } END { print at[int(NR / 2)] }')
trace-cmd split -i "$OUT/trace.dat" -o "$OUT/part.dat" "$middle" >"$OUT/split" 2>&1 || fail "$(cat "$OUT/split")"
part=$OUT/part.dat
[ -s "$part" ] || part=$part.1
rest=$(lines "$part")
[ "$rest" -ge 1 ] && [ "$rest" -lt "$whole" ] || fail "$rest packets of $whole in the second half"
has "$(cat "$OUT/losses")" '^incomplete: the beginning is not there' "the report says what is missing"
has_not "$(cat "$OUT/losses")" '^complete' "nothing is called complete"
