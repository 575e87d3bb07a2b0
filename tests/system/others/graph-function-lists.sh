#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: set_graph_function and set_graph_notrace change only while function_graph is off, in whatever way a recording ends
# kernels: newest
# tags: main
# timeout: 300

. "$(dirname "$0")/../lib/lib.sh"
. "$here/graph-lists.sh"

# The module may still be loaded, because the process that would have unloaded it was killed.
unrecorded_or_loaded() {
	! pgrep -f 'trace-cmd.record|record-skb-keep'
}
record() {
	trace-cmd record-skb -q "${few[@]}" -o "$OUT/trace.dat" -p 9000 "$@" -- ping -q -c 1 127.0.0.1 >/dev/null
}
# Fill the list, because the kernel frees only a list that is not empty.
echo vfs_write >"$tracing/set_graph_function"
at_exit sh -c "echo >$tracing/set_graph_function"
echo >"$witness/trace"

record
only_while_off "a recording"
record -n 'tcp_v4_*'
only_while_off "with -n"
record --ring 1M
only_while_off "a ring"
for who in recorder recorder-and-watchdog; do
	trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
	cli=$!
	wait_for "the recording" armed
	[ "$who" = recorder ] || kill -KILL "$(pgrep -x record-skb-keep)"
	kill -KILL "$cli"
	ends_killed "$cli"
	wait_for "the end of the tracer" grep -qx nop "$tracing/current_tracer"
	wait_for "the list as it was" grep -qx vfs_write "$tracing/set_graph_function"
	wait_for "the end of trace-cmd" unrecorded_or_loaded
	only_while_off "a killed $who"
done
[ ! -e /sys/module/record_skb ] || wait_for "the end of the module" modprobe -r record_skb
