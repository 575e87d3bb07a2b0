#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report lists as many packets that tcpdump missed as tcpdump counts: in JSON, a graph, --why and the summary
# requires: jq tcpdump

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/packet-losses.sh"

two_namespaces
ip netns exec B tcpdump -i vb --immediate-mode -s 160 -B 4 -w "$OUT/pcap" udp port 9000 2>"$OUT/tcpdump" &
tcpdump=$!
at_exit stop $tcpdump
wait_for "tcpdump" grep -q 'listening on' "$OUT/tcpdump"
kill -STOP $tcpdump
record_numbered 150
kill -CONT $tcpdump
capture_ends $tcpdump
write_json

dropped=$(sed -n 's/ packets dropped by kernel//p' "$OUT/tcpdump")
[ "$dropped" -gt 0 ] || fail "tcpdump lost nothing"
is "$(lost ".process == \"tcpdump\" and .pid == $tcpdump")" "$dropped" "packets that tcpdump says that the kernel dropped"
is "$(lost true)" "$dropped" "losses of all packet sockets"

# When the last packet arrived, the buffer was full.
number=$(jq -s '[.[] | select(.type == "packet")] | last | .number' "$OUT/json")
trace-cmd report-skb --packet "$number" -i "$OUT/trace.dat" >"$OUT/graph"
cat "$OUT/graph"
has "$(cat "$OUT/graph")" "#$number did not get to tcpdump-$tcpdump: its buffer was full\$" "the line in the graph"
trace-cmd report-skb --why -i "$OUT/trace.dat" >"$OUT/why"
has "$(cat "$OUT/why")" "^$dropped packets did not get to tcpdump-$tcpdump: its buffer was full" "--why"
is "$(trace-cmd report-skb --summary --json -i "$OUT/trace.dat" |
	jq ".happened[] | select(.what == \"not in packet socket\" and .text == \"did not get to tcpdump-$tcpdump: its buffer was full\") | .count")" \
	"$dropped" "the summary"
