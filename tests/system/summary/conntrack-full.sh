#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if the conntrack table is full, the finding says so with its size, and the suggested command shows the size and the limit
# requires: nft jq conntrack
# timeout: 200

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B, which tracks connections

. "$(dirname "$0")/../lib/lib.sh"
. "$here/finding.sh"

modprobe nf_conntrack
two_namespaces
neighbours_known
steps=$(program steps)
in_b nft -f - <<-'END_OF_RULES'
	table inet tracked {
		chain in { type filter hook input priority 0; ct state established accept; }
	}
END_OF_RULES
# All connections have a socket, so that no ICMP error makes a further connection in the table.
background in_b "$(program traffic)" refuse 9000
wait_for "a receiver" udp_listening B 9000

# An early drop must not make room: connections with an answer are not dropped early. This one stays.
background in_b "$steps" listen 9104 accept recv 1 send 1 sleep 1000000
wait_for "a server" listening B 9104
background in_a "$steps" connect 10.9.0.2 9104 send 1 recv 1 sleep 1000000
tracked() { [ "$(in_b sysctl -n net.netfilter.nf_conntrack_count)" = 1 ]; }
wait_for "a connection that is tracked" tracked
room=$(sysctl -n net.netfilter.nf_conntrack_max)
at_exit sysctl -q "net.netfilter.nf_conntrack_max=$room"
sysctl -q net.netfilter.nf_conntrack_max=1

before=$(conntrack_counter B drop)
trace-cmd record-skb -o "$OUT/full.dat" 'udp port 9000' -- ip netns exec A \
	bash -c 'for i in 1 2 3 4; do echo x >/dev/udp/10.9.0.2/9000; done' 2>"$OUT/said" || fail "the recording: $(cat "$OUT/said")"
nothing_lost "$OUT/said"
is "$(($(conntrack_counter B drop) - before))" 4 "the drops that conntrack has counted"
finding_of "$OUT/full.dat"
has "$finding" '^4 of 4 packets \(#1, udp 10\.9\.0\.2:9000\) were dropped, NETFILTER_DROP: netfilter, conntrack: its table was full \(1 of 1 connections\): net\.netfilter\.nf_conntrack_max' "the finding"
has "$shown" '^net\.netfilter\.nf_conntrack_count = 1$' "the suggested command shows the size of the table"
has "$shown" '^net\.netfilter\.nf_conntrack_max = 1$' "and its limit"
