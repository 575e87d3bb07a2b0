#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: as long as record_skb is loaded, whoever writes to set_graph_function or set_graph_notrace waits until nobody looks into the list before; it can be unloaded while he does
# kernels: 6.12 6.12-rt newest
# tags: main
# timeout: 200

. "$(dirname "$0")/lib.sh"

end_probes() {
	echo 0 >"$tracing/events/lists/enable"
	echo >"$tracing/kprobe_events"
	echo >"$tracing/set_graph_function"
	echo >"$tracing/set_graph_notrace"
	echo >"$tracing/trace"
}

# Of RCU's grace periods there is one in each kernel's way; where all CPUs are to have scheduled, a thread sees to that.
echo 'p:lists/rude synchronize_rcu_tasks_rude' >"$tracing/kprobe_events"
at_exit end_probes
echo 'p:lists/grace synchronize_rcu' >>"$tracing/kprobe_events"
echo 'p:lists/each schedule_on_each_cpu' >>"$tracing/kprobe_events"
for event in rude grace; do
	echo "common_pid == $$" >"$tracing/events/lists/$event/filter"
done
echo 1 >"$tracing/events/lists/enable"

# written FILE: write two lists one after the other; what the kernel did when the first was to go is in $OUT/trace
written() {
	echo ip_rcv >"$tracing/$1"
	echo >"$tracing/trace"
	echo ip_output >"$tracing/$1"
	cat "$tracing/trace" >"$OUT/trace"
	echo >"$tracing/$1"
}
waits() {
	grep -Eq ' (grace|each): ' "$OUT/trace"
}
for file in set_graph_function set_graph_notrace; do
	written $file
	has "$(cat "$OUT/trace")" ' rude: ' "$file: the kernel means to wait"
	waits && echo "$file: it does" || echo "$file: without us it does not"
done
modprobe record_skb
at_exit modprobe -r record_skb
for file in set_graph_function set_graph_notrace; do
	written $file
	has "$(cat "$OUT/trace")" ' rude: ' "$file: the kernel means to wait"
	waits || fail "$file: it did not: $(cat "$OUT/trace")"
done
end_probes

# Nearly always somebody waits there.
writer() {
	local done=
	trap done=y TERM
	while [ -z "$done" ]; do
		echo ip_rcv >"$tracing/$1"
	done
}
writer set_graph_function &
writers=$!
writer set_graph_notrace &
writers="$writers $!"
# shellcheck disable=SC2086
at_exit stop $writers
for round in $(seq 8); do
	modprobe -r record_skb
	has_not "$(cat "$tracing/enabled_functions")" 'synchronize_rcu_tasks_rude' "round $round: it is the kernel's again"
	modprobe record_skb
done
# shellcheck disable=SC2086
kill -TERM $writers
# shellcheck disable=SC2086
wait $writers
