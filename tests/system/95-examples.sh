#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the examples tell their stories: what is dropped
# requires: nft
# timeout: 400

. "$(dirname "$0")/lib.sh"

examples=$here/../../examples
two_namespaces

# dropped.sh. A rule of B's lets no ping in; the rule counts.
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
counted=$(in_b nft list counter inet no pings | sed -n 's/.*packets \([0-9]*\).*/\1/p')
is "$counted" 3 "nft's rule dropped the pings"
is "$(grep -c 'echo request .* dropped .*NETFILTER_DROP' "$OUT/dropped")" "$counted" "dropped.sh shows as many, and why"
