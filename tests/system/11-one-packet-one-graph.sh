#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: one packet to port 9000, and the trace has tcp_v4_rcv once, and ends as the command did
# requires: tcpdump nft
# tags: main

. "$(dirname "$0")/lib.sh"

two_namespaces
# Nothing listens and B says nothing, so the connection's first packet stays the only one.
in_b nft -f - <<END
table inet quiet {
	chain out {
		type filter hook output priority 0;
		tcp sport 9000 drop
	}
}
END

# The client gives up before it would send the packet again.
is "$(status_of in_a trace-cmd record-skb -o "$OUT/trace.dat" 'tcp dst port 9000' -- \
	timeout 0.5 bash -c 'exec 3<>/dev/tcp/10.9.0.2/9000')" 124 "the exit status is the command's"
trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"

is "$(grep -c 'funcgraph_entry: .*tcp_v4_rcv()' "$OUT/report")" 1 "graphs of tcp_v4_rcv"
has "$(grep 'funcgraph_entry: .*tcp_v4_rcv()' "$OUT/report")" \
	'tcp_v4_rcv\(\) \{ /\* #1 tcp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:9000' "its line says which packet"
