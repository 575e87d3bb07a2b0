#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: destination port 9000, one packet sent: the trace has exactly one graph of tcp_v4_rcv, that packet's
# requires: nft
# tags: main
# timeout: 240

. "$(dirname "$0")/lib.sh"

two_namespaces
traffic=$(program traffic)
# Nothing listens, so B answers from port 9000, which is not asked for, and nothing more goes there.
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
has "$graphs" "$(line_of tcp_v4_rcv '#1 tcp 10.9.0.1:* > 10.9.0.2:9000')" "its line says which packet"
has "$(cat "$OUT/stderr")" '^1 packet matched, 1 flow seen$' "the recorder says so too"
balanced "$OUT/trace.dat"
