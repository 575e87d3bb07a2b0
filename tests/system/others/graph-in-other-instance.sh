#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if another tracing instance uses function_graph, a recording is refused; with --force it runs, and only then disturbs the instance
# kernels: 6.12 6.12-rt 7.2 newest
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

# Some kernels can crash if set_graph_function changes while an instance uses function_graph. This also
# applies if it is another instance.
case $VM_KERNEL in
6.12*) forced=0 hint=--force ;;
*) forced=125 hint="end that tracer first" ;;
esac

two_namespaces
echo_server B 9000
other=$tracing/instances/other
mkdir "$other"
at_exit rmdir "$other"
echo icmp_rcv >"$other/set_ftrace_filter"
at_exit sh -c "echo >$other/set_ftrace_filter"
echo function_graph >"$other/current_tracer"
at_exit sh -c "echo nop >$other/current_tracer"

# entries: print how many entries the other instance has recorded so far
entries() {
	awk '/^(entries|overrun|read events):/ { n += $NF } END { print n }' "$other"/per_cpu/cpu*/stats
}

was=$(entries)
in_a ping -q -c 3 10.9.0.2 >/dev/null
before=$(($(entries) - was))
[ "$before" -gt 0 ] || fail "the other instance records nothing"
ok "the other instance records: $before entries for three pings"

is "$(status_of trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" -p 9000 -- true)" 125 "the recording is refused"
has "$(cat "$OUT/stderr")" "^trace-cmd record-skb: the tracing instance 'other' .*$hint" "the message names the instance that would miss events"
[ ! -e "$OUT/trace.dat" ] || fail "there is a trace.dat"
has "$(trace-cmd record-skb --check)" "^without *other instances *'other' uses function_graph" "--check names the instance, too"
was=$(entries)
in_a ping -q -c 3 10.9.0.2 >/dev/null
is "$(($(entries) - was))" "$before" "the other instance records as before"

is "$(status_of in_a trace-cmd record-skb "${few[@]}" --force -o "$OUT/trace.dat" -- ping -q -c 1 10.9.0.2)" $forced "--force"
has "$(cat "$OUT/stderr")" "^trace-cmd record-skb: the tracing instance 'other'" "--force: the message"
[ $forced != 0 ] || nothing_lost "$OUT/stderr"
was=$(entries)
in_a ping -q -c 3 10.9.0.2 >/dev/null
is "$(($(entries) - was))" "$before" "the other instance records again after the recording"

# If an instance begins to use function_graph during the recording, the recorder must report this at the end.
echo nop >"$other/current_tracer"
has "$(trace-cmd record-skb --check)" "^ok *other instances" "--check: no other instance"
is "$(status_of in_a trace-cmd record-skb --detail net -o "$OUT/trace.dat" -- \
	sh -c "echo function_graph >$other/current_tracer; ping -q -c 1 10.9.0.2")" 0 "another tracer begins during the recording"
if [ $forced != 0 ]; then
	has "$(cat "$tracing/set_graph_function")" "^record_skb_gate" "the list stays as long as the other tracer is on"
	has "$(cat "$OUT/stderr")" "set_graph_function will be restored as soon as" "a message about the list"
	echo nop >"$other/current_tracer"
	wait_for "the list as it was" unrecorded
	has_not "$(cat "$tracing/set_graph_function")" "record_skb" "the list is restored then"
fi
has "$(cat "$OUT/stderr")" "the tracing instance 'other' has begun to use function_graph" "the other tracer is reported at the end"
if [ "$VM_KERNEL" = 6.12 ] && [ "$(uname -m)" = aarch64 ]; then
	has_not "$(cat "$OUT/stderr")" "may lack functions" "function_graph has its own set on arm64, so that no graph lacks functions"
	has "$(trace-cmd report -i "$OUT/trace.dat" 2>/dev/null)" "[ |]ip_rcv_core\\(" "a function that is not a probe point is in the graph"
elif [ "$VM_KERNEL" = 6.12 ]; then
	has "$(cat "$OUT/stderr")" "^[1-9][0-9]* graphs that may lack functions: another user" \
		"and that the graphs lack their functions from then on"
fi
