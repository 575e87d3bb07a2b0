#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why explains drops by queueing disciplines, tc filters, netfilter hooks, forwarding, neighbours and tun devices
# requires: nft nstat perl tc iptables-legacy
# timeout: 300

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B, which forwards, and qa in A --- qb in B, for queueing disciplines
. "$(dirname "$0")/../lib/lib.sh"
. "$here/drop-rows.sh"

two_namespaces
fixed_addresses
modprobe tun
ip link add qa netns A type veth peer name qb netns B
ip -n A -batch - <<-'BATCH'
	link set qa up
	link set va up
BATCH
in_b sysctl -q net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1 net.ipv4.neigh.vb.mcast_solicit=1 net.ipv4.neigh.vb.retrans_time_ms=20 \
	net.ipv4.neigh.vb.unres_qlen_bytes=3000
cat >"$OUT/tun" <<'END'
	open my $f, "+<", "/dev/net/tun" or die "$!";
	my $request = pack "a16sx22", "tun0", 0x1001;
	ioctl $f, 0x400454ca, $request or die "TUNSETIFF: $!";
	sleep 1000;
END
background ip netns exec B perl "$OUT/tun"
wait_for "the tun device" ip -n B link show tun0
ip -n B -batch - <<-'BATCH'
	link set qb up
	link set tun0 txqueuelen 2 up
	link add down0 type veth peer name down1
	address add 10.88.0.1/24 dev down0
	route add unreachable 10.70.0.0/16
	route add prohibit 10.71.0.0/16
	route add throw 10.72.0.0/16
	route add blackhole 10.73.0.0/16
	route add 10.80.0.0/16 dev tun0
	route add 10.81.0.0/16 dev vb mtu lock 1000
	route add unreachable fd70::/64
	route add prohibit fd71::/64
	route add blackhole fd72::/64
	neighbour add 10.9.0.66 dev vb lladdr 02:00:00:00:00:66 nud permanent
BATCH
# class NUMBER QDISC…: make a class of qa that sends one bit a second, for the datagrams to port 9400 + NUMBER
tc -n A qdisc add dev qa root handle 1: htb default 99
class() {
	local number=$1
	shift
	cat >>"$OUT/tc" <<-END
		class add dev qa parent 1: classid 1:$number htb rate 8bit burst 1 cburst 1
		qdisc add dev qa parent 1:$number handle $((number + 100)): $*
		filter add dev qa parent 1: pref $number protocol ip flower ip_proto udp dst_port $((9400 + number)) classid 1:$number
	END
}
class 11 pfifo limit 2
class 12 bfifo limit 1200
class 13 pfifo_head_drop limit 2
class 14 sfq limit 2
class 15 red limit 3000 min 1000 max 2500 avpkt 400 burst 4 probability 0.5 bandwidth 1mbit
class 16 choke limit 8 min 2 max 6 burst 4 bandwidth 1mbit avpkt 400
class 17 codel limit 2
class 18 fq_codel limit 2
class 21 pie limit 2
class 22 fq_pie limit 2
class 23 hhf limit 2
class 24 skbprio limit 2
class 25 drr
class 27 qfq
class 28 plug limit 1200
class 29 sfb limit 2
tc -n A -batch "$OUT/tc"
ip netns exec B tc -batch - <<-'BATCH'
	qdisc add dev vb clsact
	filter add dev vb ingress pref 1 protocol ip flower ip_proto udp dst_port 9501 action police rate 8bit burst 1 conform-exceed drop
	filter add dev vb ingress pref 2 protocol ip u32 match ip dport 9502 0xffff action drop
	filter add dev vb ingress pref 4 protocol ip flower ip_proto udp dst_port 9504 action mirred egress redirect dev down0
BATCH
in_b nft -f - <<-'RULES'
	table ip witness {
		counter n_raw { }
		counter n_over { }
		counter n_late { }
		counter n_reset { }
		counter n_prohibited { }
		chain raw {
			type filter hook prerouting priority -300;
			udp dport 9511 counter name n_raw drop
		}
		chain in {
			type filter hook input priority 0;
			udp dport 9512 limit rate over 1/day burst 1 packets counter name n_over drop
			tcp dport 9513 counter name n_reset reject with tcp reset
			udp dport 9514 counter name n_prohibited reject with icmp type admin-prohibited
		}
		chain late {
			type filter hook postrouting priority 300;
			udp dport 9515 counter name n_late drop
		}
	}
	table arp witness {
		counter n_arp { }
		chain in { type filter hook input priority 0; arp operation request counter name n_arp drop; }
	}
	table inet witness {
		counter n_first { }
		chain first { type filter hook ingress device vb priority 0; udp dport 9516 counter name n_first drop; }
	}
RULES
in_b iptables-legacy -A INPUT -p udp --dport 9521 -j DROP
in_b iptables-legacy -t raw -A PREROUTING -p udp --dport 9522 -j DROP
in_b iptables-legacy -A FORWARD -p udp --dport 9523 -j REJECT
more_witnesses() {
	tc -n A -s qdisc show dev qa | awk '/^qdisc/ { q = $3 } match($0, /dropped [0-9]+/) { print "A qdisc " q " " substr($0, RSTART + 8, RLENGTH - 8) }'
	tc -n B -s filter show dev vb ingress | awk '/pref/ { for (i = 1; i < NF; i++) if ($i == "pref") p = $(i + 1) }
		match($0, /[0-9]+ pkt/) { n[p] = substr($0, RSTART, RLENGTH - 4) } END { for (p in n) print "B filter " p " " n[p] }'
	in_b iptables-legacy-save -c | awk '/DROP|REJECT/ && match($0, /^\[[0-9]+/) { print "B " $(NF - 2) " " substr($0, 2, RLENGTH - 1) }'
	echo "B tun0 $(ip netns exec B cat /sys/class/net/tun0/statistics/tx_dropped)"
}

drops_hold <<'ROWS'
pfifo: limit                 | qa: map { v4(udp(9411, "x" x 400)) } 1 .. 6   | > A qdisc 111: | queue >> pfifo 111: .* limit 2p
bfifo: limit                 | qa: map { v4(udp(9412, "x" x 400)) } 1 .. 6   | > A qdisc 112: | queue >> bfifo 112: .* limit 1200b
pfifo_head_drop: limit       | qa: map { v4(udp(9413, "x" x 400)) } 1 .. 6   | > A qdisc 113: | queue >> pfifo_head_drop 113: .* limit 2p
sfq: limit                   | qa: map { v4(udp(9414, "x" x 400)) } 1 .. 6   | > A qdisc 114: | queue >> sfq 114: .* limit 2p
red: limit                   | qa: map { v4(udp(9415, "x" x 400)) } 1 .. 12  | > A qdisc 115: | queue
choke: limit                 | qa: map { v4(udp(9416, "x" x 400)) } 1 .. 16  | > A qdisc 116: | queue
codel: limit                 | qa: map { v4(udp(9417, "x" x 400)) } 1 .. 6   | > A qdisc 117: | queue >> codel 117: .* limit 2p
fq_codel: limit              | qa: map { v4(udp(9418, "x" x 400)) } 1 .. 6   | > A qdisc 118: | queue >> fq_codel 118: .* limit 2p
pie: limit                   | qa: map { v4(udp(9421, "x" x 400)) } 1 .. 6   | > A qdisc 121: | queue
fq_pie: limit                | qa: map { v4(udp(9422, "x" x 400)) } 1 .. 6   | > A qdisc 122: | queue
hhf: limit                   | qa: map { v4(udp(9423, "x" x 400)) } 1 .. 6   | > A qdisc 123: | queue
skbprio: limit               | qa: map { v4(udp(9424, "x" x 400)) } 1 .. 6   | > A qdisc 124: | queue
drr: no class                | qa: map { v4(udp(9425, "x" x 400)) } 1 .. 6   | > A qdisc 125: | queue
qfq: no class                | qa: map { v4(udp(9427, "x" x 400)) } 1 .. 6   | > A qdisc 127: | queue
plug: limit                  | qa: map { v4(udp(9428, "x" x 400)) } 1 .. 6   | > A qdisc 128: | queue
sfb: limit                   | qa: map { v4(udp(9429, "x" x 400)) } 1 .. 6   | > A qdisc 129: | queue
tc: police                   | v4(udp(9501, "x"))                            | B filter 1 | tc filter >> police .*action drop
tc: u32                      | v4(udp(9502, "x"))                            | B filter 2 | tc filter >> match 0000251e/0000ffff
tc: redirect, it is down     | v4(udp(9504, "x"))                            | B filter 4 | .
nftables: raw                | v4(udp(9511, "x"))                            | B n_raw | rule with handle >> udp dport 9511 .*drop
nftables: limit              | out(v4(udp(9512, "x"))); v4(udp(9512, "x"))   | > B n_over | rule with handle >> udp dport 9512 limit rate over 1/day.* drop
nftables: TCP reset          | tcp(9513, 2)                                  | B n_reset | rule with handle >> tcp dport 9513 .*reject with tcp reset
nftables: ICMP               | v4(udp(9514, "x"))                            | B n_prohibited | rule with handle >> udp dport 9514 .*admin-prohibited
nftables: postrouting        | v4(udp(9515, "x"), to => "10.9.0.66")         | B n_late | rule with handle >> udp dport 9515 .*drop
nftables: ingress of inet    | v4(udp(9516, "x"))                            | B n_first | rule with handle >> udp dport 9516 .*drop
nftables: ARP                | eth(0x806, pack("nnCCnH12a4H12a4", 1, 0x800, 6, 4, 1, "020000000901", ip("10.9.0.1"), "0", ip("10.9.0.2"))) | > B n_arp | rule with handle >> arp operation request .*drop
ARP: another hardware        | eth(0x806, pack("nnCCnH12a4H12a4", 7, 0x800, 6, 4, 1, "020000000901", ip("10.9.0.1"), "0", ip("10.9.0.2"))) | - | .
iptables: INPUT              | v4(udp(9521, "x"))                            | B 9521 | iptables >> A INPUT .*9521 -j DROP
iptables: raw PREROUTING     | v4(udp(9522, "x"))                            | B 9522 | iptables >> A PREROUTING .*9522 -j DROP
iptables: FORWARD, REJECT    | v4(udp(9523, "x"), to => "10.9.0.66")         | - | iptables >> A FORWARD .*9523 -j REJECT
route: unreachable           | v4(udp(9531, "x"), to => "10.70.0.1")         | - | route >> ^unreachable 10\.70\.0\.0/16
route: prohibit              | v4(udp(9532, "x"), to => "10.71.0.1")         | - | route >> ^prohibit 10\.71\.0\.0/16
route: throw                 | v4(udp(9533, "x"), to => "10.72.0.1")         | B IpExtInNoRoutes | route >> ^throw 10\.72\.0\.0/16
route: blackhole             | v4(udp(9534, "x"), to => "10.73.0.1")         | - | blackhole >> ^blackhole 10\.73\.0\.0/16
route: MTU of 1000           | v4(udp(9535, "x" x 1100), to => "10.81.0.1", frag => 0x4000) | B IpFragFails | MTU >> mtu lock 1000
route: TTL                   | v4(udp(9536, "x"), to => "10.9.0.66", ttl => 1) | - | TTL >> ^IpInHdrErrors +[1-9]
route: multicast forwarding  | v4(udp(9538, "x"), to => "239.5.5.5", dst => "01:00:5e:05:05:05") | - | multicast
IPv6 route: unreachable      | udp6(9541, to => "fd70::1")                   | - | route >> ^unreachable fd70::/64
IPv6 route: prohibit         | udp6(9542, to => "fd71::1")                   | - | route >> ^prohibit fd71::/64
IPv6 route: blackhole        | udp6(9543, to => "fd72::1")                   | - | route|blackhole >> ^blackhole fd72::/64
IPv6: hop limit              | udp6(9544, to => "fd70::1", hops => 1)        | - | . >> ^unreachable fd70::/64
IPv6: source link-local      | udp6(9545, to => "fd09::66", from => "fe80::1234") | - | .
neighbour: does not answer   | v4(udp(9551, "x"), to => "10.9.0.67")         | - | neighbour >> 10\.9\.0\.67 .*FAILED
neighbour: queue             | map { v4(udp(9552, "x" x 800), to => "10.9.0.68") } 1 .. 6 | - | neighbour >> queue [1-9]
tun: no reader               | map { v4(udp(9561, "x"), to => "10.80.0.1") } 1 .. 6 | > B tun0 | ring >> tun0
ROWS
