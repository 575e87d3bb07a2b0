#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: BPF attaches 16 times during a recording, once in slot 0 of fgraph: it misses no return, and the kernel does not warn
# requires: nft /sys/kernel/btf/vmlinux
# kernels: 7.2 newest
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
two_namespaces
. "$(dirname "$0")/../lib/bpf.sh"
count_pings
echo_server B 9000

# fgraph hands out its 16 slots in turn. Start and end a tracer, which uses slot 0. The recording then gets
# another slot.
mkdir "$tracing/instances/first"
at_exit rmdir "$tracing/instances/first"
echo icmp_rcv >"$tracing/instances/first/set_ftrace_filter"
echo function_graph >"$tracing/instances/first/current_tracer"
echo nop >"$tracing/instances/first/current_tracer"

begin_recording
for _ in {1..16}; do
	visit
done
end_recording
is "$seen" "$pings" "each of $pings returns is seen"
has "$(cat "$OUT/stderr")" '^for [0-9.]* s other tracers used fgraph .[0-9]* times' "the summary says how long"
