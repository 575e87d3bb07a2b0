#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the recorder is stopped under traffic, with buffers of one page: traffic continues, and lost entries are counted and reported
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
echo_server B 9000
background_stream

trace-cmd record-skb "${few[@]}" -b 4 -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
recording=$!
wait_for "the recording" armed
recorders=$(pgrep -x trace-cmd)
# shellcheck disable=SC2086 # several PIDs
kill -STOP $recorders
for round in 1 2 3; do
	traffic_goes_on "while no process reads the buffer ($round)"
done
# Read the buffer only after the traffic has ended. If a page overruns while it is read, Linux 6.1 may warn
# (see Documentation/internals/hazards.md).
stream_ends
# shellcheck disable=SC2086
kill -CONT $recorders
kill -INT $recording
status=0
wait $recording || status=$?
is "$status" 0 "the recording ends"

lost=$(sed -n 's/.* entries recorded, \([0-9]*\) lost.*/\1/p' "$OUT/said")
[ "$lost" -gt 0 ] || fail "nothing was lost: $(cat "$OUT/said")"
ok "$lost entries were lost, and the summary says so"
is "$(status_of trace-cmd report-skb --list --strict -i "$OUT/trace.dat")" 3 "report-skb --strict reports the loss"
# The kernel reports the loss in the trace, so trace-cmd report shows it, too.
trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"
has "$(cat "$OUT/report")" 'EVENTS DROPPED|LOST' "trace-cmd report reports the loss"

next_is_right
