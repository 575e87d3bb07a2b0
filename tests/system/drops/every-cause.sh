#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: packets dropped by netfilter, checksum, socket, route, TTL, MTU, tc, qdisc, XDP or backlog have the right verdict, as the counters confirm
# requires: nft tc ethtool socat
# tags: long
# timeout: 600

. "$(dirname "$0")/../lib/lib.sh"
. "$here/fates.sh"

#    ┌──── A ────┐            ┌─────────── B ───────────┐
#    │  10.9.0.1 va ──────── vb 10.9.0.2   10.78.0.254 d0   a router with a dummy device behind it
#    │  10.6.0.1 vx ──────── vy 10.6.0.2     fd78::fe  │    XDP for every driver
#    │  10.5.0.1 vn ──────── vm 10.5.0.2               │    XDP of veth's own
#    └───────────┘            └─────────────────────────┘
# Do not create the device dummy0 that the module makes by default.
modprobe dummy numdummies=0
two_namespaces
traffic=$(program traffic)
xdp=$(program xdp)
ip link add vx netns A type veth peer name vy netns B
ip link add vn netns A type veth peer name vm netns B
ip -n A -batch - <<-END
	address add 10.6.0.1/24 dev vx
	address add 10.5.0.1/24 dev vn
	link set vx up
	link set vn up
	address add 10.66.0.1/32 dev lo
	route add 10.77.0.0/16 via 10.9.0.2
	route add 10.78.0.0/16 via 10.9.0.2
	route add fd77::/64 via fd09::2
	route add fd78::/64 via fd09::2
	neighbour add 10.9.0.99 lladdr 02:00:00:00:00:99 dev va
	route add 10.79.0.0/16 via 10.9.0.2
	route add 239.0.0.0/8 dev va
	link add down0 type veth peer name down1
	address add 10.4.0.1/24 dev down0
	link set down0 up
	neighbour add 10.4.0.2 lladdr 02:00:00:00:04:02 dev down0
END
ip -n B -batch - <<-END
	address add 10.6.0.2/24 dev vy
	address add 10.5.0.2/24 dev vm
	link set vy up mtu 1000
	link set vm up
	address add 10.9.0.5/24 dev vb
	address add 239.1.2.9/32 dev vb autojoin
	route add blackhole 10.79.0.0/16
	link add d0 type dummy
	address add 10.78.0.254/16 dev d0
	address add fd78::fe/64 dev d0 nodad
	link set d0 up mtu 1280
	route add 10.66.0.0/16 dev d0
	neighbour add 10.78.0.1 lladdr 02:00:00:00:00:78 dev d0
	neighbour add fd78::1 lladdr 02:00:00:00:00:78 dev d0
END
in_b sysctl -q net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1 net.ipv4.conf.vb.rp_filter=1 net.ipv4.ipfrag_time=1
# Let the kernel give up quickly on a neighbour that does not answer.
in_a sysctl -q net.ipv4.neigh.va.mcast_solicit=1 net.ipv4.neigh.va.retrans_time_ms=200

# Netfilter.
in_a nft -f - <<-END
	table inet witness {
		counter out { }
		counter sent9126 { }
		counter sent9127 { }
		counter sent9136 { }
		chain out {
			type filter hook output priority 0;
			udp dport 9106 counter name out drop
			udp dport 9126 counter name sent9126
			udp dport 9127 counter name sent9127
			udp dport 9136 counter name sent9136
		}
	}
END
in_b nft -f - <<-END
	table inet witness {
		counter input { }
		counter input6 { }
		counter rejected { }
		counter invalid { }
		counter pre { }
		counter forward { }
		counter arrived9115 { }
		counter arrived9131 { }
		counter arrived9111 { }
		counter arrived9132 { }
		counter arrived9137 { }
		counter program { }
		counter reset4 { }
		counter reset6 { }
		chain pre {
			type filter hook prerouting priority 0;
			udp dport 9104 counter name pre drop
			udp dport 9103 ct state invalid counter name invalid drop
			udp dport 9137 counter name arrived9137
		}
		chain in {
			type filter hook input priority 0;
			udp dport 9101 counter name input drop
			udp dport 9102 counter name rejected reject
			udp dport 9108 counter name input6 drop
			udp dport 9115 counter name arrived9115
			udp dport 9131 counter name arrived9131
			udp dport 9111 counter name arrived9111
			udp dport 9132 counter name arrived9132
			udp dport 9139 counter name program queue num 7
		}
		chain forward {
			type filter hook forward priority 0;
			udp dport 9105 counter name forward drop
		}
		chain out {
			type filter hook output priority 0;
			tcp sport 9113 tcp flags & rst == rst counter name reset4
			tcp sport 9114 tcp flags & rst == rst counter name reset6
		}
	}
	table netdev witness {
		chain ingress {
			type filter hook ingress device vb priority 0;
			udp dport 9107 counter drop
		}
	}
END
ingress() {
	in_b nft list chain netdev witness ingress | sed -n 's/.*packets \([0-9]*\).*/\1/p'
}

fate "netfilter: input" 'udp .*:9101$' 'dropped NETFILTER_DROP' 'nft_count B input'
fate "netfilter: input, IPv6" 'udp .*:9108$' 'dropped NETFILTER_DROP' 'nft_count B input6'
fate "netfilter: rejected" 'udp .*:9102$' 'dropped NETFILTER_DROP' 'nft_count B rejected'
fate "netfilter: conntrack says invalid" 'udp .*:9103$' 'dropped NETFILTER_DROP' 'nft_count B invalid'
fate "netfilter: prerouting" 'udp .*:9104$' 'dropped NETFILTER_DROP' 'nft_count B pre'
fate "netfilter: forward" 'udp .*:9105$' 'dropped NETFILTER_DROP' 'nft_count B forward'
fate "netfilter: output" 'udp .*:9106$' 'dropped NETFILTER_DROP' 'nft_count A out'
fate "netfilter: ingress of a device" 'udp .*:9107$' 'dropped NETFILTER_(DROP|INGRESS)' 'ingress'

# Drops for wrong checksums and missing receivers:
fate "netfilter: a queue without a program" 'udp .*:9139$' 'dropped .*' 'nft_count B program'

# The kernel verifies the checksum of a short datagram when the datagram arrives, and that of a long
# datagram when a program reads it. The kernel's counter includes both kinds. nftables counts the long
# datagrams, so subtract them.
listener B UDP-RECV:9132 "$OUT/9132"
wrong_at_once() {
	echo $(($(mib B UdpInCsumErrors) - $(nft_count B arrived9132)))
}
fate "UDP: wrong checksum" 'udp .*:9110$' 'dropped UDP_CSUM' wrong_at_once
fate "UDP: wrong checksum of a long datagram" 'udp .*:9132$' 'dropped .*' 'nft_count B arrived9132'
fate "TCP: wrong checksum" 'tcp .*:9110 S$' 'dropped TCP_CSUM' 'mib B TcpInCsumErrors'
# Count these packets with nftables, because UdpNoPorts would also count the fragmented datagram.
fate "UDP: no socket" 'udp .*:9111$' 'dropped NO_SOCKET' 'nft_count B arrived9111'
fate "UDP: no socket, in fragments" 'udp .*:9131$' 'dropped NO_SOCKET' 'nft_count B arrived9131'
fate "UDP: no socket, IPv6" 'udp .*:9112$' 'dropped NO_SOCKET' 'mib B Udp6NoPorts'
fate "TCP: no socket" 'tcp .*:9113 S$' 'dropped NO_SOCKET' 'nft_count B reset4'
fate "TCP: no socket, IPv6" 'tcp .*:9114 S$' 'dropped NO_SOCKET' 'nft_count B reset6'
fate "an unknown protocol" 'ip 253 ' 'dropped IP_NOPROTO' 'mib B IpInUnknownProtos'

fate "UDP: multicast to a group without a socket" 'udp .*:9134$' 'dropped .*' 'mib B UdpIgnoredMulti'

# The socket filter of the receiver refuses packets.
background in_b "$traffic" refuse 9138
wait_for "the socket with a filter" udp_listening B 9138
fate "UDP: the socket's filter" 'udp .*:9138$' 'dropped SOCKET_FILTER' 'drops_of 23B2'

# The backlog of this listener is one, and full. The kernel does not report that it ignored the SYN.
background in_b "$traffic" listen 9133 0
wait_for "the listener" listening B 9133
in_a bash -c ': >/dev/tcp/10.9.0.2/9133'
fate "TCP: the listener's queue is full" 'tcp .*:9133 S$' 'freed|dropped .*' 'mib B TcpExtListenDrops'

# No program reads from this socket.
background in_b "$traffic" hoard 9115 2304
wait_for "the socket that is never read" udp_listening B 9115
# drops_of PORT: print the drop counter of the socket with this port, in hexadecimal
drops_of() {
	in_b awk -v port=":$1\$" '$2 ~ port { print $NF }' /proc/net/udp
}
full() {
	drops_of 239B
}
# kept: print how many packets the socket that no program reads has received without dropping them
kept() {
	echo $(($(nft_count B arrived9115) - $(full)))
}
fate "UDP: the socket's buffer is full" 'udp .*:9115$' 'dropped SOCKET_RCVBUFF' full delivered kept

# Drops by routes. The output of ip has no column for a counter that is still zero.
otherhost() {
	ip -n B -s -s link show dev vb | awk '{ for (i = 1; i <= NF; i++) if ($i ~ /otherhost/) { at = i - 2
		getline; n = $at; exit } }
		END { print n + 0 }'
}
# given_up: print how often ARP has given up on a neighbour
given_up() {
	hex_column res_failed /proc/net/stat/arp_cache
}
fate "no route" 'udp .* > 10\.77\.0\.1:9130$' 'dropped IP_INNOROUTES' 'mib B IpExtInNoRoutes'
fate "no route, IPv6" 'udp .* > fd77::1:9130$' 'dropped .*' 'mib B Ip6InNoRoutes'
fate "a source address with a route to another device (rp_filter)" 'udp .*:9116$' 'dropped IP_RPFILTER' \
	'mib B TcpExtIPReversePathFilter'
fate "TTL" 'udp .* > 10\.78\.0\.1:9117$' 'dropped IP_INHDR' 'mib B IpInHdrErrors'
fate "hop limit" 'udp .* > fd78::1:9117$' 'dropped IP_INHDR' 'mib B Ip6InHdrErrors'
fate "larger than the MTU" 'udp .* > 10\.78\.0\.1:9118$' 'dropped PKT_TOO_BIG' 'mib B IpFragFails'
fate "larger than the MTU, IPv6" 'udp .* > fd78::1:9118$' 'dropped PKT_TOO_BIG' 'mib B Ip6InTooBigErrors'
fate "a blackhole" 'udp .*:9137$' 'dropped .*' 'nft_count B arrived9137'
fate "a fragment is missing" 'udp .* > 10\.9\.0\.5:9140$' 'dropped .*' 'mib B IpReasmFails'
too_long() {
	in_b cat /sys/class/net/vy/statistics/rx_dropped
}
fate "larger than the MTU of veth's other end" 'udp .*:9135$' 'dropped .*' too_long
fate "a link that is down" 'udp .*:9136$' 'dropped QDISC_DROP \(noop.*\)' 'nft_count A sent9136'
fate "another host's" 'udp .* > 10\.9\.0\.99:9119$' 'dropped OTHERHOST' otherhost
fate "no neighbour" 'udp .* > 10\.9\.0\.98:9119$' 'dropped NEIGH_FAILED' given_up

# Drops by tc. The priomap sends packets that no filter selects to the first band.
ip netns exec B tc -batch - <<-END
	qdisc add dev vb clsact
	filter add dev vb ingress pref 1 protocol ip flower ip_proto udp dst_port 9120 action drop
END
ip netns exec A tc -batch - <<-END
	qdisc add dev va clsact
	filter add dev va egress pref 1 protocol ip flower ip_proto udp dst_port 9121 action drop
	filter add dev va egress pref 2 protocol ip flower dst_ip 10.9.0.5 ip_flags frag/nofirstfrag action drop
	qdisc add dev va root handle 1: prio bands 6 priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
	qdisc add dev va parent 1:2 handle 2: netem loss 100%
	qdisc add dev va parent 1:3 handle 3: tbf rate 1mbit burst 200 limit 10000
	qdisc add dev va parent 1:4 handle 4: netem limit 2 rate 8bit
	qdisc add dev va parent 1:5 handle 5: netem rate 8bit
	filter add dev va parent 1: pref 1 protocol ip flower ip_proto udp dst_port 9122 classid 1:2
	filter add dev va parent 1: pref 2 protocol ip flower ip_proto udp dst_port 9123 classid 1:3
	filter add dev va parent 1: pref 3 protocol ip flower ip_proto udp dst_port 9124 classid 1:4
	filter add dev va parent 1: pref 4 protocol ip flower ip_proto udp dst_port 9129 classid 1:5
END
fate "tc: ingress" 'udp .*:9120$' 'dropped TC_INGRESS' 'tc_acted B vb ingress 1'
fate "tc: egress" 'udp .*:9121$' 'dropped TC_EGRESS' 'tc_acted A va egress 1'
fate "netem: loss" 'udp .*:9122$' 'dropped QDISC_DROP \(netem.*\)' 'qdisc_dropped A va 2:'
fate "tbf: larger than its burst" 'udp .*:9123$' 'dropped QDISC_DROP \(tbf.*\)' 'qdisc_dropped A va 3:'
fate "a queue that is full" 'udp .*:9124$' 'dropped QDISC_DROP \(netem.*\)' 'qdisc_dropped A va 4:' \
	'unknown|queued.*' 'qdisc_waiting A va 4:'
fate "still in a queue" 'udp .*:9129$' 'unknown|queued.*' 'qdisc_waiting A va 5:'

# XDP.
background in_b "$xdp" generic drop vy 9126 >"$OUT/generic"
background in_b "$xdp" native drop vm 9125 >"$OUT/native"
for mode in generic native; do
	wait_for "XDP ($mode)" grep -q attached "$OUT/$mode"
done
xdp_drops() {
	in_b ethtool -S vm | awk '/xdp_drops/ { n += $2 } END { print n }'
}
fate "XDP, for every driver" 'udp .*:9126$' 'dropped .*' 'nft_count A sent9126'
fate "XDP of the driver" 'udp .*:9125$' 'dropped .*' xdp_drops
# Generic XDP turns the skb into a frame. The kernel does not report if it throws away that frame later.
unknown_in full

# One datagram becomes more segments than the backlog of the CPU can take.
was=$(sysctl -n net.core.netdev_max_backlog)
at_exit sysctl -q "net.core.netdev_max_backlog=$was"
in_a ethtool -K va tx-udp-segmentation off gso on >/dev/null
listener B UDP-RECV:9127 "$OUT/9127"
backlog_drops() {
	hex_column 2 /proc/net/softnet_stat
}
fate "backlog" 'udp .*:9127 copy$' 'dropped CPU_BACKLOG' backlog_drops delivered 'lines_of "$OUT/9127"' \
	copied 'nft_count A sent9127'

cat >"$OUT/send" <<-'END'
	# to ADDRESS PORT [COUNT]: send COUNT datagrams of two bytes, by default three. Some of these calls must fail, so
	# hide the messages of bash.
	to() {
		local i
		for ((i = ${3:-3}; i > 0; i--)); do
			echo x 2>/dev/null >"/dev/udp/$1/$2"
		done
	}
	# large ADDRESS: send a packet of 1400 bytes
	large() {
		head -c 1400 /dev/zero | socat -u -b 2000 - "$1"
	}
	# incomplete: print how often B discarded the fragments of a datagram, because other fragments were missing
	incomplete() {
		ip netns exec B nstat -asz IpReasmFails | grep Fails
	}
	was=$(incomplete)
	for port in 9101 9102 9104 9106 9107 9111 9120 9121 9122; do
		to 10.9.0.2 $port
	done
	to fd09::2 9108
	to fd09::2 9112
	to 10.78.0.1 9105
	to 10.77.0.1 9130
	to fd77::1 9130
	to 10.5.0.2 9125
	to 10.6.0.2 9126
	to 10.9.0.99 9119
	to 10.9.0.98 9119 1
	for port in 9138 9139; do
		to 10.9.0.2 $port
	done
	to 239.1.2.9 9134
	to 10.4.0.2 9136
	to 10.79.0.1 9137
	"$traffic" spoil udp 10.9.0.2 9132 100
	"$traffic" knock 10.9.0.2 9133
	head -c 1200 /dev/zero | socat -u -b 2000 - UDP:10.6.0.2:9135
	printf "%2999s\n" x | socat -u - UDP:10.9.0.5:9140
	"$traffic" spoil udp 10.9.0.2 9103
	"$traffic" spoil udp 10.9.0.2 9110
	"$traffic" spoil tcp 10.9.0.2 9110
	: 2>/dev/null >/dev/tcp/10.9.0.2/9113
	: 2>/dev/null >/dev/tcp/fd09::2/9114
	echo x | socat -u - IP-SENDTO:10.9.0.2:253
	"$traffic" number 10.9.0.2 9115 10 1000
	echo x | socat -u - UDP:10.9.0.2:9116,bind=10.66.0.1
	echo x | socat -u - UDP:10.78.0.1:9117,ip-ttl=1
	echo x | socat -u - "UDP6:[fd78::1]:9117,ipv6-unicast-hops=1"
	# Prevent the kernel from learning the path's MTU: 3 is IP_PMTUDISC_PROBE.
	large UDP:10.78.0.1:9118,setsockopt-int=0:10:3
	large "UDP6:[fd78::1]:9118,setsockopt-int=41:23:3"
	for _ in 1 2 3; do
		head -c 500 /dev/zero | socat -u - UDP:10.9.0.2:9123
	done
	for _ in 1 2 3 4 5 6 7 8; do
		printf '%999s\n' x | socat -u - UDP:10.9.0.2:9124
	done
	# The queue sends one byte per second, so these datagrams stay in the queue for a long time.
	for _ in 1 2 3; do
		printf '%999s\n' x | socat -u - UDP:10.9.0.2:9129
	done
	printf '%2999s\n' x | socat -u - UDP:10.9.0.2:9131
	# Only the initial namespace can set the backlog's limit. Set it after the traffic above, which needs
	# a larger backlog on a busy machine. 103 is UDP_SEGMENT.
	nsenter --net=/proc/1/ns/net sysctl -q net.core.netdev_max_backlog=3
	yes | head -c 20 | socat -u - UDP:10.9.0.2:9127,setsockopt-int=17:103:2
	until [ -n "$(ip neighbour show 10.9.0.98 nud failed)" ] && [ "$(incomplete)" != "$was" ]; do
		sleep 0.1
	done
END
export traffic
expression='portrange 9100-9199 or ip proto 253'
fates_hold ip netns exec A bash "$OUT/send"
