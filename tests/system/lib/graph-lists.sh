# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# graph-lists.sh - kprobes that show when the kernel frees a list of function_graph, and when function_graph
# has users
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# The witness is a kprobe at synchronize_rcu_tasks_rude(). The kernel calls this function before it frees a
# list, and the kprobe also records the caller.
witness=$tracing/instances/witness
mkdir "$witness"
at_exit rmdir "$witness"
end_probes() {
	echo 0 >"$witness/events/lists/enable"
	echo >"$tracing/kprobe_events"
}
{
	# Two functions show when function_graph is in use. The kernel calls register_pm_notifier() for the
	# first user of function_graph, and unregister_pm_notifier() after the last user has gone. Probe
	# these two, because later kernels refuse kprobe events in ftrace's own functions.
	echo 'p:lists/on register_pm_notifier'
	echo 'p:lists/off unregister_pm_notifier'
	# When a function begins, its return address is on the stack. On arm64, it is in a register.
	[ "$(uname -m)" = aarch64 ] && caller=%lr || caller='+0($stack)'
	echo "p:lists/freed synchronize_rcu_tasks_rude by=$caller:symbol"
} >"$tracing/kprobe_events"
at_exit end_probes
echo 1 >"$witness/events/lists/enable"

# only_while_off WHAT: check that lists were freed, and that none was freed while function_graph had a user
only_while_off() {
	cat "$witness/trace" >"$OUT/events"
	echo >"$witness/trace"
	awk '/ on: /{ users++ } / off: /{ users-- } / freed: .*ftrace_graph/{ freed++; if (users > 0) { print; bad = 1 } }
		END { exit bad || !freed }' "$OUT/events" || fail "$1: $(cat "$OUT/events")"
	ok "$1"
}
