#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: with a filter for destination port 9000 and one packet, the trace has exactly one graph of tcp_v4_rcv, with that packet
# requires: nft
# tags: main
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
traffic=$(program traffic)
# No server listens. B answers with a reset from port 9000, which the filter does not match. No other packet
# goes to port 9000.
in_b nft -f - <<END
table inet witness {
	counter arrived { }
	chain in {
		type filter hook prerouting priority -300;
		tcp dport 9000 counter name arrived
	}
}
END
arrived() {
	packets_of B inet witness arrived
}
export -f arrived in_b packets_of

is "$(status_of in_a trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" dst port 9000 -- \
	bash -c '"$0" knock 10.9.0.2 9000; until [ "$(arrived)" != 0 ]; do sleep 0.1; done' "$traffic")" 0 "exit status"
is "$(arrived)" 1 "packets that arrived at port 9000"
trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"

graphs=$(grep 'funcgraph_entry: .*tcp_v4_rcv()' "$OUT/report")
is "$(wc -l <<<"$graphs")" 1 "graphs of tcp_v4_rcv"
has "$graphs" "$(line_of tcp_v4_rcv '#1 tcp 10.9.0.1:* > 10.9.0.2:9000')" "its line names the packet"
has "$(cat "$OUT/stderr")" '^1 packet matched, 1 flow seen$' "the recorder counts one packet"
balanced "$OUT/trace.dat"
