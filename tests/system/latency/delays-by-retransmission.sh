#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb names the cause of a retransmission, a rule or a full connection table, as the cause of the longest delay
# requires: tc nft tcpdump
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# vm: --icount --smp 1
# tags: long
# timeout: 30000

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/longest-gap.sh"
. "$here/routed-delays.sh"

modprobe nf_conntrack
port=9400

# seen_again PORT FLAGS: print the time between the first two segments with these flags that left A
seen_again() {
	tcpdump -ttnr $gaps/pcap "dst port $1 and tcp[tcpflags] & ($2) = $2" 2>/dev/null |
		awk '{ split($1, at, "."); ms = at[1] % 100000 * 1000 + at[2] / 1000 } NR == 1 { first = ms } NR == 2 { print ms - first; exit }'
}

# A rule drops one segment. TCP sends it again after a timeout.
for ms in 50 100 150 180; do
	ip -n A route change default via 10.9.0.254 rto_min ${ms}ms
	port=$((port + 1))
	in_r nft "add table ip once; add chain ip once forward { type filter hook forward priority 0; }; add rule ip once forward tcp dport $port tcp flags & psh == psh limit rate 1/day burst 1 packets drop"
	watch_a
	exchange $port
	capture_ends $tcpdump
	names "a rule" '#[0-9]+ -> #[0-9]+: it was dropped in nft_do_chain, and sent again' "$(seen_again $port tcp-push)"
	in_r nft delete table ip once
done
ip -n A route change default via 10.9.0.254

# A full connection table also makes TCP retransmit a SYN. One connection stays open and fills the table.
in_r nft 'add table ip follow; add chain ip follow forward { type filter hook forward priority 0; }; add rule ip follow forward ct state established accept'
serve 9299 accept recv 1 send 1 recv 1
ip netns exec A "$steps" connect 10.8.0.2 9299 send 1 recv 1 sleep 1 recv 1 >$gaps/followed &
at_exit stop $!
wait_for "a connection that stays" test -s $gaps/followed
was=$(sysctl -n net.netfilter.nf_conntrack_max)
sysctl -q net.netfilter.nf_conntrack_max=1
watch_a
# Column 11 of this file counts drops. After the first drop, restore the size of the table.
background bash -c "until ip netns exec R grep -qE '^([0-9a-f]+ +){10}0*[1-9a-f]' /proc/net/stat/nf_conntrack; do sleep 0.1; done
	sysctl -q net.netfilter.nf_conntrack_max=$was"
exchange 9300
capture_ends $tcpdump
sysctl -q net.netfilter.nf_conntrack_max="$was"
names "conntrack's table" '#[0-9]+ -> #[0-9]+: it was dropped in nf_hook_slow, and sent again' "$(seen_again 9300 tcp-syn)"
in_r nft delete table ip follow
all_named
