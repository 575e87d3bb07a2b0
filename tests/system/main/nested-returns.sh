#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: inside an open graph, a function's return value is recorded if its probe point asks for it, and the graph keeps the function's line
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

traffic=$(program traffic)
ioctl=$(program ioctl)
ask_return=$((1 << 7))
at_exit sh -c "echo $(cat "$tracing/buffer_size_kb") >$tracing/buffer_size_kb; echo >$tracing/trace"
two_namespaces
background in_b "$traffic" hoard 9000 4000
wait_for "a socket whose packets are never read" udp_listening B 9000
modprobe record_skb
at_exit sh -c 'grep -q "^record_skb " /proc/modules && modprobe -r record_skb; :'

# counted OF NAME: print the counter NAME of the protocol OF in B, from /proc/net/snmp
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

# record FLAGS: send packets to a socket. The probe point that puts packets into the socket's queue has the
# flags FLAGS. Set $came to the number of packets that arrived, and $refused to the number of packets that
# the socket refused.
record() {
	local came_before refused_before
	came_before=$(counted Ip InDelivers)
	refused_before=$(counted Udp RcvbufErrors)
	trace-cmd record -b 40000 -o "$OUT/trace.dat" -p function_graph -g record_skb_gate -e record_skb \
		bash -c "send | '$ioctl' hold __udp_enqueue_schedule_skb 1 $1" >"$OUT/said" 2>&1 || fail "$(cat "$OUT/said")"
	# -N prints the report without our plugin, only by libtraceevent.
	trace-cmd report -N -i "$OUT/trace.dat" >"$OUT/report"
	came=$(($(counted Ip InDelivers) - came_before))
	refused=$(($(counted Udp RcvbufErrors) - refused_before))
}
# at EVENT PATTERN: count the events EVENT of the function that puts packets into the socket's queue. Count
# only events whose text matches PATTERN.
at() {
	grep -Ec " $1: .*__udp_enqueue_schedule_skb$2" "$OUT/report" || :
}

record 0
[ "$refused" -ge 5 ] || fail "the socket's buffer was not full: $refused"
is "$(at packet ' .* nested$')" "$came" "packets at the socket's queue inside an open graph"
is "$(at return ' = ')" 0 "return events without the flag"
lines=$(at funcgraph_entry "")
[ "$lines" -ge "$came" ] || fail "the function that fills the queue has $lines lines"

record "$ask_return"
is "$(at packet ' .* nested$')" "$came" "packets at the queue with the flag for returns"
is "$(at return ' = ')" "$came" "return events, one for each packet"
is "$(at return ' = -[0-9]+$')" "$refused" "errors among them, as the kernel counted"
is "$(at funcgraph_entry "")" "$lines" "lines of the function that fills the queue"
has_not "$(cat "$OUT/report")" 'funcgraph_entry: .*(gate_(shut|resume|return|list|call)|leave|frame_(call|top|pop)) ' "the module's own functions in the graph"
