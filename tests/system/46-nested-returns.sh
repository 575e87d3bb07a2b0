#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: what a function returns inside an open graph is said where its point asks for it, and its line stays in the graph
# timeout: 240

. "$(dirname "$0")/lib.sh"

traffic=$(program traffic)
ioctl=$(program ioctl)
ask_return=$((1 << 7))
at_exit sh -c "echo $(cat "$tracing/buffer_size_kb") >$tracing/buffer_size_kb; echo >$tracing/trace"
two_namespaces
background in_b "$traffic" hoard 9000 4000
wait_for "a socket that nobody reads" udp_listening B 9000
modprobe record_skb
at_exit sh -c 'grep -q "^record_skb " /proc/modules && modprobe -r record_skb; :'

# counted OF NAME: B's own count
counted() {
	in_b awk -v of="$1:" -v name="$2" '$1 == of && !at { for (i = 2; i <= NF; i++) if ($i == name) at = i; next }
		$1 == of { print $at }' /proc/net/snmp
}
send() {
	wait_for "matching" armed
	in_a "$traffic" number 10.9.0.2 9000 20
}
export -f send armed program made_on_host wait_for in_a fail
export traffic tracing wait_seconds here

# record FLAGS: packets to the socket, whose queue's point has these flags. Sets how many came, and how many of them it refused.
record() {
	local came_before refused_before
	came_before=$(counted Ip InDelivers)
	refused_before=$(counted Udp RcvbufErrors)
	trace-cmd record -b 40000 -o "$OUT/trace.dat" -p function_graph -g record_skb_gate -e record_skb \
		bash -c "send | '$ioctl' hold __udp_enqueue_schedule_skb 1 $1" >"$OUT/said" 2>&1 || fail "$(cat "$OUT/said")"
	# As the kernel prints it: our plugin is not the matter here.
	trace-cmd report -N -i "$OUT/trace.dat" >"$OUT/report"
	came=$(($(counted Ip InDelivers) - came_before))
	refused=$(($(counted Udp RcvbufErrors) - refused_before))
}
# at EVENT PATTERN: how many such events there are at the socket's queue.
at() {
	grep -Ec " $1: .*__udp_enqueue_schedule_skb$2" "$OUT/report" || :
}

record 0
[ "$refused" -ge 5 ] || fail "the socket's buffer was not full: $refused"
is "$(at packet ' .* nested$')" "$came" "packets that come to the socket's queue inside an open graph"
is "$(at return ' = ')" 0 "returns, where the point does not ask for them"
lines=$(at funcgraph_entry "")
[ "$lines" -ge "$came" ] || fail "the queue's function has $lines lines"

record "$ask_return"
is "$(at packet ' .* nested$')" "$came" "packets that come to the queue whose point asks for returns"
is "$(at return ' = ')" "$came" "returns, one for each packet"
is "$(at return ' = -[0-9]+$')" "$refused" "those that say no, and what the kernel counted"
is "$(at funcgraph_entry "")" "$lines" "lines of the queue's function in the graph"
has_not "$(cat "$OUT/report")" 'funcgraph_entry: .*(gate_(shut|resume|return|list|call)|leave|frame_(call|top|pop)) ' "the module's own functions in the graph"
