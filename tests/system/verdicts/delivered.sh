#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: packets delivered to each kind of socket, consumed, answered, captured or closed unread have the right verdict, as programs and counters confirm
# requires: nft tcpdump socat
# tags: long
# timeout: 600

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/fates.sh"

two_namespaces
traffic=$(program traffic)
ip -n B address add 10.9.0.3/24 dev vb
ip -n B address add 10.9.0.4/24 dev vb
ip -n A route add 239.0.0.0/8 dev va
# mac NAMESPACE DEVICE: print the link-layer address of DEVICE. All addresses but 10.9.0.4 get permanent
# neighbour entries.
mac() {
	ip netns exec "$1" cat "/sys/class/net/$2/address"
}
for n in 2 3; do
	ip -n A neighbour replace 10.9.0.$n lladdr "$(mac B vb)" dev va nud permanent
done
ip -n B neighbour replace 10.9.0.1 lladdr "$(mac A va)" dev vb nud permanent

# flag_rules: let nftables count arriving TCP packets by their flags, in counters named NAMESPACE_PORT_FLAGS
flag_rules() {
	local side=$1 port=$2
	echo "tcp $side $port tcp flags & (fin|syn|rst) == syn counter name ${3}_${port}_syn"
	echo "tcp $side $port tcp flags & (fin|syn|rst) == fin counter name ${3}_${port}_fin"
	echo "tcp $side $port tcp flags & (fin|syn|rst|psh) == psh counter name ${3}_${port}_psh"
	echo "tcp $side $port tcp flags & (fin|syn|rst|psh) == 0x0 counter name ${3}_${port}_ack"
	echo "tcp $side $port tcp flags & rst == rst counter name ${3}_${port}_rst"
}
flag_counters() {
	local port flags
	for port in 9204 9205 9213; do
		for flags in syn fin psh ack rst; do
			echo "counter ${1}_${port}_$flags { }"
		done
	done
}
for ns in A B; do
	side=dport
	[ $ns = B ] || side=sport
	ip netns exec $ns nft -f - <<-END
		table inet witness {
			$(flag_counters $ns)
			counter unread { }
			counter refused { }
			counter ignored { }
			chain in {
				type filter hook input priority 0;
				$(flag_rules $side 9204 $ns)
				$(flag_rules $side 9205 $ns)
				$(flag_rules $side 9213 $ns)
				udp dport 9211 counter name unread
				ip daddr 10.9.0.4 icmp type echo-request counter name ignored
			}
		}
		table arp witness {
			counter asked { }
			chain in {
				type filter hook input priority 0;
				counter name asked
			}
		}
	END
done
arp_seen() {
	echo $(($(nft_count A asked) + $(nft_count B asked)))
}

# UDP.
listener B UDP-RECV:9201 "$OUT/9201"
listener B UDP:10.9.0.1:9302,bind=10.9.0.2:9202 "$OUT/9202"
listener B UDP6-RECV:9203 "$OUT/9203"
listener B UDP-RECV:9208,ip-add-membership=239.1.2.3:vb,reuseaddr "$OUT/9208"
listener B UDP-RECV:9208,ip-add-membership=239.1.2.3:vb,reuseaddr "$OUT/9208.2"
listener B UDP-RECV:9209,broadcast "$OUT/9209"
listener A UDP-RECV:9210 "$OUT/9210"
fate "UDP" 'udp .*:9201$' delivered 'lines_of "$OUT/9201"'
fate "UDP, a connected socket" 'udp 10\.9\.0\.1:9302 > 10\.9\.0\.2:9202$' delivered 'lines_of "$OUT/9202"'
fate "UDP, IPv6" 'udp .*:9203$' delivered 'lines_of "$OUT/9203"'
fate "UDP, multicast to two sockets" 'udp .* > 239\.1\.2\.3:9208$' delivered 'lines_of "$OUT/9208.2"'
both_heard() {
	echo $(($(lines_of "$OUT/9208") + $(lines_of "$OUT/9208.2")))
}
fate "UDP, multicast: both" 'udp .* > 239\.1\.2\.3:9208 copy$' delivered both_heard
fate "UDP, broadcast" 'udp .* > 10\.9\.0\.255:9209$' delivered 'lines_of "$OUT/9209"'
fate "UDP, loopback" 'udp 127\.0\.0\.1:.*:9210$' delivered 'lines_of "$OUT/9210"'
fate "UDP, closed unread" 'udp .*:9211$' delivered 'nft_count B unread'

# Each kind of packet in a TCP connection:
echo_server B 9204
background in_b "$traffic" -6 echo 9205
wait_for "the server of IPv6" listening B 9205
for port in 9204 9205; do
	fate "TCP $port: SYN" "tcp .*:$port S\$" consumed "nft_count B B_${port}_syn"
	fate "TCP $port: SYN's answer" "tcp .*:$port > .* S\\.\$" consumed "nft_count A A_${port}_syn"
	fate "TCP $port: data there" "tcp .* > .*:$port P\\.\$" delivered "nft_count B B_${port}_psh"
	fate "TCP $port: data back" "tcp .*:$port > .* P\\.\$" delivered "nft_count A A_${port}_psh"
	fate "TCP $port: FIN there" "tcp .* > .*:$port FP?\\.\$" consumed "nft_count B B_${port}_fin"
	fate "TCP $port: FIN back" "tcp .*:$port > .* FP?\\.\$" consumed "nft_count A A_${port}_fin"
done
# While a task has locked the socket, an ACK waits in the backlog. If a FIN overtakes the ACK, TCP drops the
# ACK as too old. From 6.14 on, the kernel has a separate counter for such ACKs.
too_old() {
	echo $(($(mib "$1" TcpExtPAWSEstab) + ${counters[$1 TcpExtPAWSOldAck]:-0}))
}
acks() {
	echo $(($(nft_count "$1" "$1_9204_ack") + $(nft_count "$1" "$1_9205_ack") - $(too_old "$1")))
}
fate "TCP: ACKs there" 'tcp .* > .*:920[45] \.$' consumed 'acks B' 'dropped .*PAWS.*' 'too_old B'
fate "TCP: ACKs back" 'tcp .*:920[45] > .* \.$' consumed 'acks A' 'dropped .*PAWS.*' 'too_old A'
fate "TCP: RST" 'tcp .*:9213 > .* R\.$' 'consumed|freed' 'nft_count A A_9213_rst'

# Packets for raw, ping and packet sockets, and packets that the kernel itself answers:
listener B IP-RECV:253 "$OUT/253"
received() {
	grep -ch "bytes from $1" "$OUT/pings" || :
}
: >"$OUT/pings"
fate "a raw socket" 'ip 253 ' delivered 'lines_of "$OUT/253"'
fate "an echo request" 'icmp 10\.9\.0\.1 > 10\.9\.0\.2 type 8$' consumed 'received 10.9.0.2'
fate "an echo request that is ignored" 'icmp 10\.9\.0\.1 > 10\.9\.0\.4 type 8$' 'freed|dropped .*' 'nft_count B ignored'
fate "an echo reply to a ping socket" 'icmp 10\.9\.0\.2 > 10\.9\.0\.1 type 0$' delivered 'received 10.9.0.2'
fate "an echo reply to a raw socket" 'icmp 10\.9\.0\.3 > 10\.9\.0\.1 type 0$' delivered 'received 10.9.0.3'
fate "an echo request, IPv6" 'icmp6 fd09::1 > fd09::2 type 128$' 'consumed|freed' 'received fd09::2'
fate "an echo reply to a ping socket, IPv6" 'icmp6 fd09::2 > fd09::1 type 129$' delivered 'received fd09::2'
fate "an ICMP error" 'icmp 10\.9\.0\.2 > 10\.9\.0\.1 type 3$' consumed 'mib A IcmpInDestUnreachs'
fate "ARP" '^arp 10\.9\.0\.[14] > 10\.9\.0\.[14]$' consumed arp_seen

# tcpdump has a packet socket. It gets copies of the packets for other sockets.
in_b tcpdump -i vb -nn --immediate-mode -l 'udp port 9207 or udp port 9206 or ether proto 0x88b5' >"$OUT/tapped" \
	2>"$OUT/tcpdump" &
at_exit stop $!
wait_for "tcpdump" grep -q 'listening on' "$OUT/tcpdump"
# Without other options, tcpdump uses a ring of blocks. It can read a block when the block is full, or after
# some time.
in_b tcpdump -i vb -nn -l 'udp port 9207 or udp port 9206 or ether proto 0x88b7' >"$OUT/ringed" 2>"$OUT/tcpdump2" &
at_exit stop $!
wait_for "the other tcpdump" grep -q 'listening on' "$OUT/tcpdump2"
listener B UDP-RECV:9206 "$OUT/9206"
tapped() {
	grep -c "$1" "$OUT/tapped" || :
}
nohandler() {
	ip -n A -s link show dev va | awk '/RX:/ { getline; print $4 }'
}
fate "dropped, and tapped" 'udp .*:9207$' 'dropped NO_SOCKET' 'mib B UdpNoPorts'
fate "delivered, and tapped" 'udp .*:9206$' delivered 'lines_of "$OUT/9206"'
# There is no event when the kernel copies a packet to a ring. There is also none when the filter of the
# ring refuses the packet.
fate "a packet socket alone" 'ether 34997 ' delivered 'tapped "ethertype Unknown (0x88b5)"'
unknown_in full
ringed() {
	grep -c "$1" "$OUT/ringed" || :
}
fate "a packet socket alone, a ring of blocks" 'ether 34999 ' delivered 'ringed "ethertype Unknown (0x88b7)"'
unknown_in full
fate "an unknown ethertype" 'ether 34998 ' 'dropped UNHANDLED_PROTO' nohandler

cat >"$OUT/send" <<-'END'
	to() {
		local i
		for i in 1 2 3; do
			echo x 2>/dev/null >"/dev/udp/$1/$2"
		done
	}
	# frame MAC TYPE: print an Ethernet frame with any data
	frame() {
		printf "\\x${1//:/\\x}\x02\x00\x00\x00\x00\x01\x88\x$2%046d" 0
	}
	to 10.9.0.2 9201
	to fd09::2 9203
	to 127.0.0.1 9210
	to 10.9.0.2 9206
	to 10.9.0.2 9207
	echo x | socat -u - UDP:10.9.0.2:9202,bind=10.9.0.1:9302
	echo x | socat -u - UDP:239.1.2.3:9208
	echo x | socat -u - UDP-DATAGRAM:10.9.0.255:9209,broadcast
	ip netns exec B "$traffic" hoard 9211 100000 &
	hoard=$!
	until [ -n "$(ip netns exec B ss -Hlun 'sport = :9211')" ]; do
		sleep 0.1
	done
	to 10.9.0.2 9211
	kill $hoard
	wait $hoard
	"$traffic" talk 10.9.0.2 1 9204
	"$traffic" talk fd09::2 1 9205
	# The client closes its socket first. So the socket no longer exists when the server's FIN arrives.
	bash -c 'exec 3<>/dev/tcp/10.9.0.2/9204; echo x >&3; read -r x <&3'
	: 2>/dev/null >/dev/tcp/10.9.0.2/9213
	echo x | socat -u - IP-SENDTO:10.9.0.2:253
	sysctl -q net.ipv4.ping_group_range='0 2147483647'
	ping -c 2 -i 0.2 10.9.0.2 >>"$OUT/pings"
	ping -c 2 -i 0.2 fd09::2 >>"$OUT/pings"
	sysctl -q net.ipv4.ping_group_range='1 0'
	ping -c 2 -i 0.2 10.9.0.3 >>"$OUT/pings"
	ip neighbour flush to 10.9.0.4
	to 10.9.0.4 9201
	ip netns exec B sysctl -q net.ipv4.icmp_echo_ignore_all=1
	ping -c 1 -W 1 10.9.0.4 >/dev/null
	ip netns exec B sysctl -q net.ipv4.icmp_echo_ignore_all=0
	frame "$(mac B vb)" b5 | socat -u - INTERFACE:va
	frame "$(mac B vb)" b7 | socat -u - INTERFACE:va
	frame "$(mac A va)" b6 | ip netns exec B socat -u - INTERFACE:vb
	over 9204
	over 9205
END
# over PORT: wait until the connections have ended, because they end after their clients have exited
over() {
	until [ -z "$(ip netns exec B ss -Htan state connected "sport = :$1")" ]; do
		sleep 0.1
	done
}
export -f over mac
export traffic OUT
expression='portrange 9200-9299 or icmp or icmp6 or arp or ip proto 253 or ether proto 0x88b5 or ether proto 0x88b6 or ether proto 0x88b7'
fates_hold ip netns exec A bash "$OUT/send"
