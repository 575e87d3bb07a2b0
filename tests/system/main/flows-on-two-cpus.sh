#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: two flows run at the same time on two CPUs, and each line of the report has the flow of its own packet
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
traffic=$(program traffic)
# Each server runs on the CPU on which the client of the other flow runs. So a packet wakes a task on the
# other CPU, and this task sends the answer from there.
echo_server B 9000
taskset -p -c 1 "$!" >/dev/null
echo_server B 9001
taskset -p -c 0 "$!" >/dev/null

in_a trace-cmd record-skb "${few[@]}" -b 16384 -o "$OUT/trace.dat" -p 9000,9001 -- bash -c '
	taskset -c 0 "$0" talk 10.9.0.2 8 9000 & taskset -c 1 "$0" talk 10.9.0.2 8 9001; wait $!' "$traffic" \
	2>"$OUT/said" || fail "$(cat "$OUT/said")"
nothing_lost "$OUT/said"

balanced "$OUT/trace.dat"
said=$(owners "$OUT/trace.dat")
echo "$said"
has "$said" '[1-9][0-9][0-9]+ lines of packets' "the graphs have lines of matching packets"
has "$said" '[1-9][0-9]+ changes' "the packet changes within a graph"
for cpu in 0 1; do
	has "$(cat "$OUT/report")" "\[00$cpu\].* packet: *#[0-9]+ ip_rcv " "packets on CPU $cpu"
done
for port in 9000 9001; do
	is "$(sed -n "s/.* packet: *#\([0-9]*\) ip_output .* > 10\.9\.0\.2:$port flags=S .*/\1/p" "$OUT/report" | wc -l)" 8 \
		"connections to port $port"
done
