#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a packet that conntrack drops because NAT has found no free port is not said to be dropped by a rule
# requires: nft conntrack
# timeout: 200

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/finding.sh"

three_namespaces
background ip netns exec B "$(program traffic)" refuse 8080
# Each connection needs the same port of the router.
ip netns exec R nft -f - <<-'END'
	table ip nat {
		chain from {
			type nat hook postrouting priority 100;
			oifname rb udp dport 8080 snat to 10.8.0.254:5000
		}
	}
END
before=$(conntrack_counter R insert_failed)
trace-cmd record-skb -o "$OUT/nat.dat" 'udp dst port 8080' -- ip netns exec A \
	bash -c 'for i in 1 2 3; do echo x >/dev/udp/10.8.0.2/8080; done' 2>"$OUT/said" || fail "the recording: $(cat "$OUT/said")"
nothing_lost "$OUT/said"
is "$(($(conntrack_counter R insert_failed) - before))" 2 "the connections that conntrack could not add"
trace-cmd report-skb -i "$OUT/nat.dat" --why >"$OUT/why"
cat "$OUT/why"
has "$(cat "$OUT/why")" 'conntrack: the connection could not be added to its table' "the cause"
has_not "$(cat "$OUT/why")" 'which rule' "no rule is blamed"
finding_of "$OUT/nat.dat"
has "$finding" '^2 of [0-9]+ packets .* were dropped, NETFILTER_DROP: netfilter, conntrack: the connection could not be added' "the finding"
has "$shown" 'insert_failed=[12]' "the suggested command shows the failures"
