#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: set_graph_function and set_graph_notrace change only while function_graph is off, however a recording ends
# kernels: 6.12 6.12-rt newest
# tags: main
# timeout: 300

. "$(dirname "$0")/../lib/lib.sh"

# The kernel calls the last of these functions before it frees a list. This call and its caller are the witnesses.
witness=$tracing/instances/witness
mkdir "$witness"
at_exit rmdir "$witness"
end_probes() {
	echo 0 >"$witness/events/lists/enable"
	echo >"$tracing/kprobe_events"
}
{
	# The first user of function_graph calls the one, the last user the other. Later kernels refuse events in ftrace.
	echo 'p:lists/on register_pm_notifier'
	echo 'p:lists/off unregister_pm_notifier'
	# shellcheck disable=SC2016 # the kernel's
	echo 'p:lists/freed synchronize_rcu_tasks_rude by=+0($stack):symbol'
} >"$tracing/kprobe_events"
at_exit end_probes
echo 1 >"$witness/events/lists/enable"

# only_while_off WHAT: lists were freed, and never while function_graph had a user
only_while_off() {
	cat "$witness/trace" >"$OUT/events"
	echo >"$witness/trace"
	awk '/ on: /{ users++ } / off: /{ users-- } / freed: .*ftrace_graph/{ freed++; if (users > 0) { print; bad = 1 } }
		END { exit bad || !freed }' "$OUT/events" || fail "$1: $(cat "$OUT/events")"
	ok "$1"
}
# The module may stay, because the process that would have unloaded it is dead.
unrecorded_or_loaded() {
	! pgrep -f 'trace-cmd.record|record-skb-keep'
}
record() {
	trace-cmd record-skb -q "${few[@]}" -o "$OUT/trace.dat" -p 9000 "$@" -- ping -q -c 1 127.0.0.1 >/dev/null
}
# A list that is empty is not freed.
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
	wait "$cli" 2>/dev/null || :
	wait_for "the end of the tracer" grep -qx nop "$tracing/current_tracer"
	wait_for "the list as it was" grep -qx vfs_write "$tracing/set_graph_function"
	wait_for "the end of trace-cmd" unrecorded_or_loaded
	only_while_off "a killed $who"
done
[ ! -e /sys/module/record_skb ] || wait_for "the end of the module" modprobe -r record_skb

# The kernel waits before it frees a list until 6.12, so recordings that share may change theirs at any time there.
case $VM_KERNEL in
6.12*) exit ;;
esac
echo >"$tracing/set_graph_function"
echo >"$witness/trace"
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
