#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if function_graph is switched off while the module is active, the next tracer does not record a task that then leaves its gate
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
echo_server B 9000
ioctl=$(program ioctl)
modprobe record_skb
at_exit modprobe -r record_skb

graph() {
	printf "%s\n" record_skb_gate tcp_recvmsg ksys_read >"$tracing/set_ftrace_filter"
	echo record_skb_gate >"$tracing/set_graph_function"
	echo >"$tracing/trace"
	echo function_graph >"$tracing/current_tracer"
}
no_graph() {
	echo nop >"$tracing/current_tracer"
	echo >"$tracing/set_graph_function"
	echo >"$tracing/set_ftrace_filter"
}
at_exit no_graph

# The reader sleeps in recv(), inside a gate. After SIGUSR1, it leaves the gate and reads from another file
# forever.
cat >"$OUT/reader.sh" <<'END'
on() {
	local n=0
	while :; do
		read -r -t 0.05 line <"$fifo"
		n=$((n + 1))
		echo $n >"$reads"
	done
}
trap on USR1
exec 3<>/dev/tcp/10.9.0.2/9000
read -r line <&3
END
hold=$(mktemp -u)
fifo=$(mktemp -u)
reads=$(mktemp -u)
mkfifo "$hold" "$fifo"
at_exit rm -f "$hold" "$fifo" "$reads"
exec 8<>"$fifo"
asleep() {
	grep -q record_skb "/proc/$reader/stack"
}
reads() {
	[ "$(cat "$reads")" -ge "$1" ]
}

graph
"$ioctl" hold <"$hold" >"$OUT/held" &
holder=$!
at_exit stop $holder
exec 7>"$hold"
wait_for "the module to be armed" armed
# Descriptor 7 keeps the standard input of the ioctl program open, so the reader must not inherit it.
fifo=$fifo reads=$reads ip netns exec A bash "$OUT/reader.sh" 7>&- &
reader=$!
at_exit stop $reader
wait_for "the reader asleep in a gate" asleep
# Switch the tracer off. In reality, another user may do this, or a recorder that is killed. The module
# stays active.
echo nop >"$tracing/current_tracer"
kill -USR1 $reader
wait_for "the reader to leave the gate" reads 1
exec 7>&-
wait $holder

graph
at=$(cat "$reads")
wait_for "the reader to continue reading" reads $((at + 5))
cat "$tracing/trace" >"$OUT/trace"
is "$(grep -c ksys_read "$OUT/trace" || :)" 0 "calls outside of a gate in the trace"
