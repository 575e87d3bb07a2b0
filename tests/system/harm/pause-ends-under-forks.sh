#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: function_graph is paused for no task after the module was armed again and again, or after a recording, while processes fork
# tags: slow
# kernels: 6.1 6.1-rt 6.12 6.12-rt
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/pauses.sh"

modprobe record_skb
at_exit modprobe -r record_skb
"$ioctl" only 9000 8 >"$OUT/paused" || fail "$(cat "$OUT/paused")"
given_back "after 8 armings under forks"

# Unlike the cycles above, a recording also switches on the tracer. Then a gate ends the pause of the task
# that enters it, and readers still sleep in a gate when the recording ends.
is "$(status_of trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" -p 9000 -- sleep 1)" 0 "a recording"
nothing_lost "$OUT/stderr"
has_not "$(cat "$OUT/stderr")" 'cost more' "no message about a pause that failed"
given_back "after a recording under forks"
