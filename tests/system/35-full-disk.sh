#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a full disk ends in one clear error, and leaves tracing as it was and no half of a trace
# timeout: 240

. "$(dirname "$0")/lib.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000
mkdir "$OUT/small"
mount -t tmpfs -o size=32k none "$OUT/small"
at_exit umount "$OUT/small"

is "$(status_of in_a trace-cmd record-skb "${few[@]}" -o "$OUT/small/trace.dat" -p 9000 -- "$traffic" talk 10.9.0.2 3 9000)" \
	125 "exit status"
has "$(tail -n 1 "$OUT/stderr")" '^trace-cmd record-skb: ' "the last line is ours"
has "$(cat "$OUT/stderr")" 'No space left|full|cannot be read back' "it says why"
is "$(ls -A "$OUT/small")" "" "what is left on the disk"
wait_for "an end of all" unrecorded

# With room it works.
mount -o remount,size=64m "$OUT/small"
is "$(status_of in_a trace-cmd record-skb "${few[@]}" -o "$OUT/small/trace.dat" -p 9000 -- "$traffic" talk 10.9.0.2 3 9000)" \
	0 "the next recording, with room"
