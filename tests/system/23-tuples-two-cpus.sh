#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: two flows go at once on two CPUs: each line of the report has its own packet's flow
# timeout: 300

. "$(dirname "$0")/lib.sh"

two_namespaces
traffic=$(program traffic)
# Each server beside the other's client, so that packets wake tasks on the other CPU and are answered there.
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
has "$said" '[1-9][0-9][0-9]+ lines of packets' "there are lines to look at"
has "$said" '[1-9][0-9]+ changes' "whose they are changes inside graphs"
for cpu in 0 1; do
	has "$(cat "$OUT/report")" "\[00$cpu\].* packet: *#[0-9]+ ip_rcv " "packets on CPU $cpu"
done
for port in 9000 9001; do
	is "$(sed -n "s/.* packet: *#\([0-9]*\) ip_output .* > 10\.9\.0\.2:$port flags=S .*/\1/p" "$OUT/report" | wc -l)" 8 \
		"connections to port $port"
done
