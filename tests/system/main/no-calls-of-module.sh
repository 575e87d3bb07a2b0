#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a graph has no lines of functions that the module itself calls when the kernel frees a SYN

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
echo_server B 9000

# The witness is another tracing instance. It counts the calls of the function, and shows the caller of each
# call. Calls by the kernel must have a line in the graph, and calls by the module must not.
witness=$tracing/instances/witness
mkdir "$witness"
at_exit rmdir "$witness"
at_exit sh -c "echo nop >$witness/current_tracer"
echo __inet_lookup_listener >"$witness/set_ftrace_filter"
echo function >"$witness/current_tracer"
trace-cmd record-skb -o "$OUT/trace.dat" -p 9000 -- ip netns exec A bash -c \
	'for n in 1 2 3; do exec 3<>/dev/tcp/10.9.0.2/9000; echo hello >&3; read -r line <&3; exec 3>&-; done' \
	>"$OUT/said" 2>&1 || fail "$(cat "$OUT/said")"
cat "$witness/trace" >"$OUT/witness"
trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"
cat "$OUT/witness"
calls=$(grep -c '__inet_lookup_listener <-tcp_v4_rcv' "$OUT/witness" || :)
[ "$calls" -ge 3 ] || fail "the kernel looked up only $calls listeners"
is "$(grep -c ' __inet_lookup_listener()' "$OUT/report" || :)" "$calls" "lines of lookups, and lookups of the kernel"
