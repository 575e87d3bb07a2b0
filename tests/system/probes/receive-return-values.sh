#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the closing line of a graph shows what its receiving probe point returned: dropped, not allowed, success
# requires: nft socat
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/returns.sh"

# B drops two kinds of packets: packets from addresses that B would reach through another device, and
# packets to ports 9001 and 7000.
in_b sysctl -q net.ipv4.conf.all.rp_filter=1 net.ipv4.conf.vb.rp_filter=1
in_a ip address add 10.66.0.1/32 dev lo
in_b ip link add elsewhere type dummy
in_b ip address add 10.66.0.2/24 dev elsewhere
in_b ip link set elsewhere up
in_b nft -f - <<END
table inet no {
	counter no { }
	chain in {
		type filter hook prerouting priority 0;
		udp dport 9001 counter name no drop
		udp dport 7000 drop
	}
}
END

# count NAME: print the counter TcpExt NAME of B
count() {
	in_b awk -v name="$1" '$1 == "TcpExt:" && !at { for (i = 2; i <= NF; i++) if ($i == name) at = i; next }
		$1 == "TcpExt:" { print $at }' /proc/net/netstat
}

cat >"$OUT/received" <<'END'
send 2 9000
send 3 9001
ip route add 10.9.0.2/32 dev va src 10.66.0.1
send 4 9002
ip route del 10.9.0.2/32
END

# Record only the receiving side. If the sending side were recorded, too, a packet would be received inside
# the graph in which it is sent.
rp_filtered=$(count IPReversePathFilter)
record received --direction rx
is "$(packets_of B inet no no)" 3 "packets that nft dropped"
returned __netif_receive_skb -1 -EPERM 3
is "$(($(count IPReversePathFilter) - rp_filtered))" 4 "packets that came from the wrong side"
returned __netif_receive_skb 1 NET_RX_DROP 4
returned __netif_receive_skb 0 NET_RX_SUCCESS 2
has "$(grep -B 3 'NET_RX_DROP \*/' "$OUT/report")" 'return: +#[0-9]+ __netif_receive_skb = 1$' \
	"the line follows the event"
