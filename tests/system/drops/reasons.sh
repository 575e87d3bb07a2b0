#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: exactly the packets that nftables or a full socket buffer dropped are shown as dropped, each with its reason
# requires: nft
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/bad-packets.sh"

# nftables drops packets to port 9001. No program reads from the socket with port 9002. Packets to port 9005
# are delivered. Ports 7001 and 7002 get the same packets as 9001 and 9002, but the filter does not match
# them.
in_b nft -f - <<END
table inet no {
	counter mine { }
	counter others { }
	chain in {
		type filter hook input priority 0;
		udp dport 9001 counter name mine drop
		udp dport 7001 counter name others drop
	}
}
END
background in_b "$traffic" hoard 9002 2304
background in_b "$traffic" hoard 7002 2304
for port in 9002 7002; do
	wait_for "the socket that no task reads" udp_listening B $port
done
dropped_by_nft() {
	packets_of B inet no "$1"
}

cat >"$OUT/command" <<'END'
# bad PREFIX: send packets of each kind. Their ports are PREFIX followed by 001 or 002.
bad() {
	"$traffic" number 10.9.0.2 "$1"001 3
	"$traffic" number 10.9.0.2 "$1"002 10 1000
}
END

record_drops
mine=$(dropped_by_nft mine)
is "$mine" 8 "packets that nft dropped"
is "$(dropped_by_nft others)" 24 "and others"

drops NETFILTER_DROP 9001 8 'nf_hook_slow|nft_do_chain'
is "$(dropped NETFILTER_DROP)" "$(numbers_at ip_rcv ':9001 ')" "number of packets to port 9001"
full=$(in_b awk '$2 ~ /:232A$/ { print $NF }' /proc/net/udp)
[ "$full" -ge 5 ] || fail "the socket's buffer was not full: $full"
drops SOCKET_RCVBUFF 9002 "$full" '__udp_enqueue_schedule_skb|udp_queue_rcv_one_skb|udp_queue_rcv_skb'
listed NETFILTER_DROP SOCKET_RCVBUFF
