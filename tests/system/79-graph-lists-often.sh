#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: somebody traces all of the kernel, under traffic, and writes to set_graph_function all the time, while record_skb is loaded: the kernel lives
# tags: long
# timeout: 900

. "$(dirname "$0")/lib.sh"

two_namespaces
echo_server B 9000
background_stream

# Of Linux 7.3 this is the end within a minute, without record_skb.
no_graph() {
	echo nop >"$tracing/current_tracer"
	echo >"$tracing/set_graph_function"
	echo >"$tracing/trace"
}
modprobe record_skb
at_exit modprobe -r record_skb
echo function_graph >"$tracing/current_tracer"
at_exit no_graph
writes=0
end=$((SECONDS + 150))
while [ $SECONDS -lt $end ]; do
	echo 'ip_rc*' >"$tracing/set_graph_function"
	echo 'tcp_*' >"$tracing/set_graph_function"
	writes=$((writes + 2))
done
no_graph
[ $writes -gt 100 ] || fail "only $writes writes"
ok "$writes writes"
stream_ends
