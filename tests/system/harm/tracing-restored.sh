#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: after a recording, the module is unloaded, all settings of tracing are as before, and the kernel has logged nothing
# timeout: 300

. "$(dirname "$0")/../lib/lib.sh"

# as_before WHAT COMMAND…: record with COMMAND, and check that the settings of tracing are the same before and
# after
as_before() {
	local what=$1
	shift
	tracing_settings >"$OUT/before"
	# The kernel logs a message about the first out-of-tree module, so ignore lines about record_skb.
	dmesg | grep -v record_skb >"$OUT/said.before"
	"$@" 2>"$OUT/stderr" || fail "$what: $(cat "$OUT/stderr")"
	tracing_settings >"$OUT/after"
	dmesg | grep -v record_skb >"$OUT/said.after"
	diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "$what: the settings of tracing have changed"
	diff "$OUT/said.before" "$OUT/said.after" >&2 || fail "$what: the kernel has logged something"
	[ ! -e /sys/module/record_skb ] || fail "$what: the module is still loaded"
	[ ! -e /dev/record_skb ] || fail "$what: the device still exists"
	ok "$what"
}

record() {
	trace-cmd record-skb -q "${few[@]}" -o "$OUT/trace.dat" "$@" -- ping -q -c 1 127.0.0.1 >/dev/null
}

as_before "a plain recording" record -p 9000
as_before "trace-cmd's options" record -p 9000 -O funcgraph-irqs -O nosleep-time -C mono -b 512 -M 1 \
	-e sched:sched_switch -e irq -f 'irq == 4' --max-graph-depth 3 -n 'tcp_v4_*'
as_before "a buffer of its own" record -p 9000 -B other -e sched:sched_switch
