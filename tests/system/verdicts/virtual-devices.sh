#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: verdicts agree with the counters for macvlan, ipvlan, a bond, a bridge, a VRF, L2TP, other CPUs, shared ports, TPROXY, SYN cookies and MPTCP
# requires: nft socat
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# tags: long
# timeout: 600

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/fates.sh"

two_namespaces
traffic=$(program traffic)

# pair NAME [NAME]…: make more links. The link NAME has the devices aNAME in A and bNAME in B.
pair() {
	local name
	for name in "$@"; do
		ip link add "a$name" netns A type veth peer name "b$name" netns B
		ip -n A link set "a$name" up
		ip -n B link set "b$name" up
	done
}
# address DEVICE NET: give DEVICE the addresses of NET, .1 in A and .2 in B
address() {
	ip -n A addr add "10.$2.0.1/24" dev "$1"
	ip -n B addr add "10.$2.0.2/24" dev "$1"
	ip -n A link set "$1" up
	ip -n B link set "$1" up
}
pair mac ipv one two bri vrf
for ns in A B; do
	side=${ns,}
	modprobe bonding max_bonds=0
	ip -n $ns -batch - <<-END
		link add mac0 link ${side}mac type macvlan mode bridge
		link add ipv0 link ${side}ipv type ipvlan mode l2
		link add bond0 type bond mode active-backup miimon 100
		link set ${side}one down
		link set ${side}two down
		link set ${side}one master bond0
		link set ${side}two master bond0
		link add br0 type bridge
		link set ${side}bri master br0
		link add vrf0 type vrf table 10
		link set ${side}vrf master vrf0
		link set vrf0 up
	END
done
address mac0 71
address ipv0 72
address bond0 73
address br0 74
ip -n A addr add 10.75.0.1/24 dev avrf
ip -n B addr add 10.75.0.2/24 dev bvrf
modprobe l2tp_eth
ip -n A l2tp add tunnel tunnel_id 1 peer_tunnel_id 1 encap udp local 10.9.0.1 remote 10.9.0.2 udp_sport 1701 udp_dport 1701
ip -n B l2tp add tunnel tunnel_id 1 peer_tunnel_id 1 encap udp local 10.9.0.2 remote 10.9.0.1 udp_sport 1701 udp_dport 1701
ip -n A l2tp add session name l2tp0 tunnel_id 1 session_id 1 peer_session_id 1
ip -n B l2tp add session name l2tp0 tunnel_id 1 session_id 1 peer_session_id 1
address l2tp0 76
for net in 71 72 73 74 76; do
	wait_for "10.$net.0.2" in_a ping -c 1 -W 1 10.$net.0.2
done
wait_for "10.75.0.2" in_a ping -c 1 -W 1 -I vrf0 10.75.0.2
in_b sh -c 'echo 3 >/sys/class/net/vb/queues/rx-0/rps_cpus'
in_b sysctl -q net.ipv4.tcp_syncookies=2

# nftables counts TCP packets by port.
ports="9412 9413 9414 9415 9416"
for ns in A B; do
	side=dport
	[ $ns = B ] || side=sport
	ip netns exec $ns nft -f - <<-END
		table inet witness {
			$(for port in $ports; do echo "counter psh_$port { }
			counter syn_$port { }"; done)
			chain in {
				type filter hook input priority 0;
				$(for port in $ports; do echo "tcp $side $port tcp flags & psh == psh counter name psh_$port
				tcp $side $port tcp flags & syn == syn counter name syn_$port"; done)
			}
			chain divert {
				type filter hook prerouting priority mangle;
				ip daddr 10.77.0.9 udp dport 9410 meta mark set 1 tproxy ip to :9411
			}
		}
	END
done
ip -n A route add 10.77.0.0/24 via 10.9.0.2
ip -n B rule add fwmark 1 lookup 100
ip -n B route add local default dev lo table 100

udp() {
	listener B "UDP-RECV:$2${4:+,$4}" "$OUT/$2"
	fate "$1" "udp .* > $3:$2\$" delivered "lines_of '$OUT/$2'"
}
udp "by macvlan" 9401 '10\.71\.0\.2'
udp "by ipvlan" 9402 '10\.72\.0\.2'
udp "by a bond" 9403 '10\.73\.0\.2'
udp "to a bridge's own address" 9404 '10\.74\.0\.2'
udp "by a VRF" 9405 '10\.75\.0\.2' so-bindtodevice=vrf0
udp "by L2TP" 9406 '10\.76\.0\.2'
udp "received on another CPU" 9407 '10\.9\.0\.2'
listener B UDP-RECV:9408,reuseport "$OUT/9408"
listener B UDP-RECV:9408,reuseport "$OUT/9408.2"
of_both() {
	echo $(($(lines_of "$OUT/9408") + $(lines_of "$OUT/9408.2")))
}
fate "to one of two sockets" 'udp .*:9408$' delivered of_both
# The option 104 is UDP_GRO. The kernel merges ten datagrams of 2 bytes into one packet, and socat reads
# them as one message. Each datagram makes one line in the output.
listener B UDP:10.9.0.1:9499,bind=10.9.0.2:9409,setsockopt-int=17:104:1 "$OUT/9409"
merged() {
	echo $(($(lines_of "$OUT/9409") / 10))
}
fate "ten in one piece" 'udp .*:9409$' delivered merged
listener B UDP-RECV:9411,ip-transparent "$OUT/9411"
fate "TPROXY" 'udp .* > 10\.77\.0\.9:9410$' delivered 'lines_of "$OUT/9411"'

echo_server B 9412 9414 9415
background ip netns exec B socat TCP-LISTEN:9413,so-bindtodevice=vrf0,fork,reuseaddr EXEC:cat
# Protocol 262 is MPTCP, and 24c8 is port 9416.
background ip netns exec B socat SOCKET-LISTEN:2:262:x24c800000000x0000000000000000,fork EXEC:cat
wait_for "the server in the VRF" listening B 9413
for row in "9412 bond" "9413 VRF" "9414 bridge" "9415 SYN-cookie" "9416 MPTCP"; do
	read -ra words <<<"$row"
	set -- "${words[@]}"
	fate "TCP, $2: SYN" "tcp .*:$1 S\$" consumed "nft_count B syn_$1"
	fate "TCP, $2: SYN's answer" "tcp .*:$1 > .* S\\.\$" consumed "nft_count A syn_$1"
	fate "TCP, $2: data there" "tcp .* > .*:$1 P\\.\$" delivered "nft_count B psh_$1"
	fate "TCP, $2: data back" "tcp .*:$1 > .* P\\.\$" delivered "nft_count A psh_$1"
done

cat >"$OUT/send" <<-'END'
	to() {
		local i
		for i in 1 2 3; do
			echo x >"/dev/udp/$1/$2"
		done
	}
	to 10.71.0.2 9401
	to 10.72.0.2 9402
	to 10.73.0.2 9403
	to 10.74.0.2 9404
	for i in 1 2 3; do
		echo x | socat -u - UDP:10.75.0.2:9405,so-bindtodevice=vrf0
	done
	to 10.76.0.2 9406
	to 10.9.0.2 9407
	to 10.9.0.2 9408
	to 10.9.0.2 9408
	to 10.9.0.2 9408
	# The option 103 is UDP_SEGMENT.
	yes | head -c 20 | socat -u - UDP:10.9.0.2:9409,bind=10.9.0.1:9499,setsockopt-int=17:103:2
	to 10.77.0.9 9410
	"$traffic" talk 10.73.0.2 1 9412
	echo x | socat -t 5 - TCP:10.75.0.2:9413,so-bindtodevice=vrf0
	"$traffic" talk 10.74.0.2 1 9414
	"$traffic" talk 10.9.0.2 1 9415
	echo x | socat -t 5 - SOCKET-CONNECT:2:262:x24c80a090002x0000000000000000
END
export traffic
expression='portrange 9400-9499'
fates_hold ip netns exec A bash "$OUT/send"
