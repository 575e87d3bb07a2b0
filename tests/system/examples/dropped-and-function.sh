#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: dropped.sh shows packets that a rule drops, and function.sh shows one call of a function
# requires: nft
# tags: slow
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

examples=$top/examples
two_namespaces

# For dropped.sh, a rule in B drops pings and counts them.
in_b nft -f - <<END
table inet no {
	counter pings { }
	chain in {
		type filter hook input priority 0;
		icmp type echo-request counter name pings drop
	}
}
END
in_a "$examples/dropped.sh" ping -q -c 3 -i 0.2 -W 1 10.9.0.2 >"$OUT/dropped" 2>"$OUT/said"
counted=$(packets_of B inet no pings)
is "$counted" 3 "nft's rule dropped the pings"
is "$(grep -c 'echo request .* dropped .*NETFILTER_DROP' "$OUT/dropped")" "$counted" "dropped.sh shows as many, and why"

# function.sh must show a complete graph of the function, with only calls that were made for the packet.
echo_server B 9000
in_a "$examples/function.sh" tcp_v4_rcv 'tcp dst port 9000' socat -u OPEN:/dev/null TCP:10.9.0.2:9000 >"$OUT/function"
has "$(sed -n '/./{p;q}' "$OUT/function")" '^tcp_v4_rcv\(\) \{ /\* #1 tcp 10.9.0.1:[0-9]+ > 10.9.0.2:9000 ' "function.sh begins with the call"
is "$(grep -c '{' "$OUT/function")" "$(grep -c '^ *}' "$OUT/function")" "as many calls end as began"
is "$(tail -n 1 "$OUT/function" | cut -c 1)" '}' "the last line ends the graph"
