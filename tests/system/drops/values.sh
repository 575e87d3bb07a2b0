#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why shows values behind a drop: how full a queue, buffer, qdisc or table was, the MTU, and the TTL
# requires: nft tc ss perl
# timeout: 240

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B, which forwards to a device d0 (10.78.0.254, MTU 1000)
. "$(dirname "$0")/../lib/lib.sh"
. "$here/why-says.sh"

cd "$OUT"
modprobe dummy numdummies=0
modprobe nf_conntrack
two_namespaces
neighbours_known
ip -n B link add d0 mtu 1000 type dummy
ip -n B address add 10.78.0.254/24 dev d0
ip -n B link set d0 up
ip -n A route add 10.78.0.0/16 via 10.9.0.2
ip -n A address add 10.99.0.1/24 dev va
in_b sysctl -q net.ipv4.ip_forward=1
in_a sysctl -q net.ipv4.neigh.va.unres_qlen_bytes=4000
tc -n A qdisc add dev va root handle 1: prio bands 3 priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
tc -n A qdisc add dev va parent 1:2 handle 2: netem limit 3 rate 8bit
tc -n A filter add dev va parent 1: pref 1 protocol ip flower ip_proto udp dst_port 9104 classid 1:2
in_b nft -f - <<-'END'
	table inet witness {
		chain in { type filter hook input priority 0; udp dport 9106 ct state new counter accept; }
	}
END
most=$(sysctl -n net.netfilter.nf_conntrack_max)
at_exit sysctl -q "net.netfilter.nf_conntrack_max=$most"

cat >server <<'END'
	use Socket; $0 = "lazy";
	socket(S, PF_INET, SOCK_STREAM, 6); bind(S, sockaddr_in(9101, INADDR_ANY)) or die; listen(S, 2);
	socket(U, PF_INET, SOCK_DGRAM, 17); setsockopt(U, SOL_SOCKET, SO_RCVBUF, 2304); bind(U, sockaddr_in(9102, INADDR_ANY)) or die; sleep 1000;
END
background ip netns exec B perl server
wait_for "the server" listening B 9101
cat >client <<'END'
	use Socket;
	sub to { my ($address, $port, $n, $length, @option) = @_; socket(my $u, PF_INET, SOCK_DGRAM, 17); setsockopt($u, 0, $_->[0], $_->[1]) for @option;
		send($u, "x" x $length, 0, sockaddr_in($port, inet_aton($address))) for 1 .. $n }
	for (1 .. 5) { socket(my $c, PF_INET, SOCK_STREAM | 2048, 6); connect($c, sockaddr_in(9101, inet_aton("10.9.0.2"))); push @c, $c; select(undef, undef, undef, 0.2) }
	to("10.9.0.2", 9102, 20, 100); to("10.78.0.1", 9103, 1, 1200, [10, 3]); to("10.9.0.2", 9104, 8, 600); to("10.99.0.9", 9105, 8, 600);
	to("10.78.0.1", 9107, 1, 10, [2, 1]);
	system("ip netns exec B ss -Htln 'sport = :9101' >listeners; ip netns exec B ss -Huanm 'sport = :9102' | tr -d '\\n' >memory; tc -n A -s qdisc show dev va >queues");
	# Only the initial namespace can set the limit of the conntrack table.
	system("nsenter --net=/proc/1/ns/net sysctl -q net.netfilter.nf_conntrack_max=3");
	for (1 .. 6) { to("10.9.0.2", 9106, 1, 10) }
	system("ip netns exec B cat /proc/sys/net/netfilter/nf_conntrack_count >connections");
END
trace-cmd record-skb --why -b 8192 -o values.dat -p 9101-9107 -- ip netns exec A perl client >out 2>said || fail "$(cat said)"
nothing_lost said
trace-cmd report-skb -i values.dat --why >why 2>/dev/null
trace-cmd report-skb -i values.dat --why --json >json 2>/dev/null
cat why listeners memory queues connections

read -r _ used limit _ <listeners
says ':9101: (possibly )?dropped' "accept queue of port 9101 was full \\($used of $limit\\): .*net\\.core\\.somaxconn"
used=$(sed -n 's/.*skmem:(r\([0-9]*\),rb\([0-9]*\),.*/\1 of \2/p' memory)
says ':9102: dropped' "receive buffer of port 9102 was full \\($used bytes of memory, and the packet needs [1-9][0-9]*\\)"
says ':9103: dropped' 'MTU of the way out is 1000, and the packet has 1228 bytes'
# On Linux 7.3, the netem queue can be shorter than its limit when it drops a packet. Then --why prints no
# value.
says ':9104: dropped' "(queue of va was full \\($(sed -n '/netem/,/backlog/s/.*backlog [^ ]* \([0-9]*\)p.*/\1/p' queues) of 3 packets\\)|^ *the queueing discipline$)"
says ':9105: dropped in .*NEIGH_QUEUEFULL' 'queue on va was full \([1-9][0-9]* of 4000 bytes'
says ':9106: dropped in .*NETFILTER_DROP' "its table was full \\($(cat connections) of 3 connections\\): net\\.netfilter\\.nf_conntrack_max"
says ':9107: dropped' 'its TTL had run out \(1,'
has "$(cat json)" '"limit":\{"what":"accept queue","used":3,"limit":2\}' "the values are in the JSON objects, too"
