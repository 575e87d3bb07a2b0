#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the module is armed and disarmed again and again under traffic with function_graph on, while another process tries to unload it
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

# harm/thousand-cycles sets a larger number of cycles.
cycles=${CYCLES:-40}
two_namespaces
echo_server B 9000
ioctl=$(program ioctl)
background_stream

# These are some of the probe points of "trace-cmd record-skb --detail path".
modprobe record_skb
at_exit sh -c 'until ! grep -q "^record_skb " /proc/modules || modprobe -r record_skb 2>/dev/null; do sleep 0.1; done'
printf '%s\n' record_skb_gate ip_rcv __ip_local_out __dev_queue_xmit tcp_recvmsg >"$tracing/set_ftrace_filter"
at_exit sh -c "echo >$tracing/set_ftrace_filter"
# When the module is unloaded, the kernel removes the gate from set_graph_function. So after each loading,
# unloader() adds the gate again.
echo function_graph >"$tracing/current_tracer"
at_exit sh -c "echo nop >$tracing/current_tracer"

# unloader: unload and load the module, and set the graph function again, until SIGTERM
unloader() {
	local unloaded=0 refused=0 done=
	trap done=y TERM
	while [ -z "$done" ]; do
		if rmmod record_skb 2>/dev/null; then
			unloaded=$((unloaded + 1))
			modprobe record_skb
			echo record_skb_gate >>"$tracing/set_ftrace_filter"
			echo record_skb_gate >"$tracing/set_graph_function"
		else
			refused=$((refused + 1))
		fi
		echo "$unloaded $refused" >/tmp/unloader
		sleep 0.05
	done
}
echo record_skb_gate >"$tracing/set_graph_function"
at_exit sh -c "echo >$tracing/set_graph_function"
rm -f /tmp/unloader
unloader &
unloader=$!
at_exit stop $unloader

# On a busy machine, the unloader may never find the module unused in one round. So make up to five rounds.
both() {
	read -r unloaded refused </tmp/unloader && [ "$unloaded" -gt 0 ] && [ "$refused" -gt 0 ]
}
for round in 1 2 3 4 5; do
	is "$(status_of "$ioctl" cycle "$cycles")" 0 "$cycles times armed and disarmed, round $round"
	! both || break
done
matches=$(sed -n 's/ matches$//p' "$OUT/stdout")
[ "$matches" -gt "$cycles" ] || fail "only $matches matches: $(cat "$OUT/stdout" "$OUT/stderr")"
kill -TERM $unloader
wait $unloader
[ "$unloaded" -gt 0 ] || fail "the module was never unloaded"
[ "$refused" -gt 0 ] || fail "no attempt to unload the module was refused"
ok "$matches matches; unloaded $unloaded times, $refused times refused"
is "$(redirected)" "" "points that are live"
grep -q 'record_skb_gate' "$tracing/trace" || fail "nothing was recorded"

stream_ends

echo nop >"$tracing/current_tracer"
echo >"$tracing/set_graph_function"
echo >"$tracing/set_ftrace_filter"
next_is_right
