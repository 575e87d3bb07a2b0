#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: recording does not lose, duplicate or reorder packets, as numbered UDP datagrams show
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
traffic=$(program traffic)
count=500

# numbered COMMAND…: send numbered datagrams, and print how they arrived. COMMAND starts the sending
# program; it is env or a recorder.
numbered() {
	delivered B 9000 in_a "$@" "$traffic" number 10.9.0.2 9000 $count
}

wanted="received $count, late 0, twice 0"
is "$(numbered env)" "$wanted" "without recording"
is "$(numbered trace-cmd record-skb "${few[@]}" -l 'udp_*' -b 16384 -o "$OUT/trace.dat" -p 9000 --)" "$wanted" "recorded"
nothing_lost "$OUT/said"

# The trace must have all datagrams in order, and the five datagrams that mark the end.
trace-cmd report -R -i "$OUT/trace.dat" >"$OUT/raw"
is "$(grep -c ' packet: *func=udp_rcv ' "$OUT/raw")" $((count + 5)) "packets at udp_rcv"
order=$(sed -n 's/.* packet: *func=udp_rcv .* pkt=\([0-9]*\) .*/\1/p' "$OUT/raw")
is "$(sort -n <<<"$order")" "$order" "in order"
