#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a killed recording left function_graph on, with an address of the unloaded module: --check and the next recording restore tracing
# tags: long

. "$(dirname "$0")/../lib/lib.sh"

# leave: make the settings of tracing that a killed recording of an earlier version left behind
leave() {
	modprobe record_skb
	echo record_skb_gate >"$tracing/set_graph_function"
	echo ip_rcv >"$tracing/set_ftrace_filter"
	echo function_graph >"$tracing/current_tracer"
	modprobe -r record_skb
	has "$(cat "$tracing/set_graph_function")" '^0x' "an address of unloaded code is there"
}

tracing_settings >"$OUT/before"
leave
has "$(trace-cmd record-skb --check)" '^ok *other tracing *an earlier recording was killed' "--check says so"
tracing_settings >"$OUT/after"
diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "--check did not restore tracing"
ok "--check restored tracing"
leave
is "$(status_of trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" -- ping -q -c 1 127.0.0.1)" 0 "the next recording"
has "$(cat "$OUT/stderr")" 'an earlier recording was killed' "says so"
has "$(cat "$OUT/stderr")" '^2 packets matched' "the recording has its packets"
tracing_settings >"$OUT/after"
diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "the recording did not restore tracing"
ok "the recording restored tracing"
