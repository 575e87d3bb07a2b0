#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why distinguishes drops by iptables-legacy, by nftables and by a full conntrack table, and shows the rule that counted the packet
# requires: iptables-legacy iptables-legacy-save nft
# tags: slow
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
steps=$(program steps)
in_b iptables-legacy -t raw -A PREROUTING -p udp --dport 9101 -j DROP
in_b nft -f - <<-END
	table inet witness {
		chain in {
			type filter hook prerouting priority -500;
			udp dport 9103 drop
		}
	}
	table ip tracked {
		chain in {
			type filter hook prerouting priority 0;
			ct state established accept
		}
	}
END
# One connection stays open. The conntrack table has no room for a second one.
background in_b "$steps" listen 9104 accept recv 1 send 1 sleep 1000000
wait_for "a server" listening B 9104
background in_a "$steps" connect 10.9.0.2 9104 send 1 recv 1 sleep 1000000
tracked() {
	[ "$(in_b sysctl -n net.netfilter.nf_conntrack_count)" = 1 ]
}
wait_for "a connection that is tracked" tracked
room=$(sysctl -n net.netfilter.nf_conntrack_max)
at_exit sysctl -q "net.netfilter.nf_conntrack_max=$room"
sysctl -q net.netfilter.nf_conntrack_max=1

trace-cmd record-skb --why -o "$OUT/why.dat" -- ip netns exec A sh -c "
	for port in 9101 9102 9103; do $steps open 10.9.0.2 \$port send 1; done" >"$OUT/printed" 2>"$OUT/said" ||
	fail "$(cat "$OUT/said")"
sysctl -q "net.netfilter.nf_conntrack_max=$room"
nothing_lost "$OUT/said"
trace-cmd report-skb --why -i "$OUT/why.dat" >"$OUT/why" 2>"$OUT/stderr"
cat "$OUT/why"

# why PORT: print the explanation of the packet to this port
why() {
	grep -A 2 "^[^ ].*:$1: dropped" "$OUT/why" || fail "no explanation for port $1"
}
has "$(why 9101)" 'netfilter: a rule or policy of iptables-legacy$' "it names iptables-legacy"
has "$(why 9101)" 'see: iptables-legacy-save -c ' "it prints a command for iptables-legacy"
has "$(in_b iptables-legacy-save -c)" '^\[1:[0-9]+\] .*--dport 9101 -j DROP' "the command shows the rule that counted the packet"
has "$(why 9102)" 'netfilter, conntrack: its table was full \(1 of 1 connections\)' "it names conntrack"
has "$(why 9102)" 'see: sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max' "it prints a command for conntrack"
has "$(why 9103)" 'netfilter, hook prerouting: table inet witness, chain in: the rule with handle [0-9]+ \(udp dport 9103 drop\)$' "it names the rule of nftables and its text"
