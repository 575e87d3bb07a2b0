#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: set_graph_function and set_graph_notrace of shared recordings change only while function_graph is off
# kernels: newest
# tags: main
# timeout: 300

. "$(dirname "$0")/../lib/lib.sh"
. "$here/graph-lists.sh"

# This test runs only on the newest kernel. Up to 6.12, the kernel waits before it frees a list, so shared
# recordings may change their lists at any time.

for i in 1 2; do
	trace-cmd record-skb --shared "${few[@]}" -o "$OUT/$i.dat" -p 9000 2>"$OUT/said.$i" &
	wait_for "recording $i" grep -q . "$tracing/instances/record_skb_$i/set_ftrace_filter"
	wait_for "its tracer" grep -qx function_graph "$tracing/instances/record_skb_$i/current_tracer"
	pids[i]=$!
done
wait_for "both" armed
for i in 1 2; do
	kill -INT "${pids[i]}"
	wait "${pids[i]}" || fail "recording $i: $(cat "$OUT/said.$i")"
done
only_while_off "two that share"
