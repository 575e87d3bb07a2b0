#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the recorder is stopped under traffic, with buffers of one page: traffic goes on, what is lost is counted and said
# timeout: 300

. "$(dirname "$0")/lib.sh"

two_namespaces
echo_server B 9000
background_stream

trace-cmd record-skb "${few[@]}" -b 4 -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
recording=$!
wait_for "the recording" armed
recorders=$(pgrep -x trace-cmd)
# shellcheck disable=SC2086 # several
kill -STOP $recorders
for round in 1 2 3; do
	traffic_goes_on "while nobody reads ($round)"
done
# Nobody writes while it is read: one page that overruns meanwhile can make 6.1 warn (design.md, "Hazards").
stream_ends
# shellcheck disable=SC2086
kill -CONT $recorders
kill -INT $recording
status=0
wait $recording || status=$?
is "$status" 0 "the recording ends"

lost=$(sed -n 's/.* entries recorded, \([0-9]*\) lost.*/\1/p' "$OUT/said")
[ "$lost" -gt 0 ] || fail "nothing was lost: $(cat "$OUT/said")"
ok "$lost entries were lost, and it says so"
is "$(status_of trace-cmd report-skb --strict -i "$OUT/trace.dat")" 3 "report-skb --strict says so, too"
# trace-cmd's own report has the kernel's word for it.
trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"
has "$(cat "$OUT/report")" 'EVENTS DROPPED|LOST' "and so does trace-cmd report"

next_is_right
