#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: verdicts with a full sniffer, an unread error, and an unanswered ping after an ARP request
# requires: nft socat ss
# tags: long
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/fates.sh"

cd "$OUT"
two_namespaces
# A has two addresses. B answers pings from the first one, while the buffer of a sniffer is full. B ignores
# pings from the second one.
ip -n A addr add 10.9.0.11/24 dev va
in_b nft -f - <<-END
	table ip witness {
		counter ignored { }
		chain in {
			type filter hook input priority 0;
			ip saddr 10.9.0.11 icmp type echo-request counter name ignored
		}
	}
END
fate "pings beside a sniffer that is full" 'icmp 10\.9\.0\.1 > .* type 8$' consumed 'mib B IcmpOutEchoReps'
fate "their answers" 'icmp .* > 10\.9\.0\.1 type 0$' delivered 'mib A IcmpInEchoReps'
fate "ignored, after ARP for them" 'icmp 10\.9\.0\.11 > .* type 8$' freed 'nft_count B ignored'

fate "to a port without a socket" 'udp .*:9421$' 'dropped NO_SOCKET' 'mib B UdpNoPorts'
fate "an error in a queue that no task reads" 'icmp .* > 10\.9\.0\.1 type 3$' delivered 'mib A IcmpInDestUnreachs'

sniffer=x0003$(printf %08x "$(in_a cat /sys/class/net/va/ifindex)" | sed 's/\(..\)\(..\)\(..\)\(..\)/\4\3\2\1/')000000000000000000000000
export sniffer
cat >send <<-'END'
	in_a() {
		ip netns exec A "$@"
	}
	# A packet socket for all protocols also sees sent packets. Its buffer is small.
	ip netns exec A socat -u SOCKET-RECV:17:3:768:$sniffer,rcvbuf=2000 OPEN:sniffed,creat,append &
	until [ -s sniffed ]; do
		in_a ping -q -c 1 -I 10.9.0.1 10.9.0.2
	done
	kill -STOP $!
	in_a ping -q -c 20 -i 0.02 -I 10.9.0.1 10.9.0.2
	in_a ss -0 -amn >sniffer
	kill -KILL $!
	wait $!
	rm sniffed

	ip netns exec B sysctl -q net.ipv4.icmp_echo_ignore_all=1
	ip -n A neigh flush dev va
	in_a ping -q -c 2 -i 0.1 -W 1 -I 10.9.0.11 10.9.0.2
	ip netns exec B sysctl -q net.ipv4.icmp_echo_ignore_all=0

	# The option 11 is IP_RECVERR.
	echo x | in_a socat -t 0.5 - UDP:10.9.0.2:9421,setsockopt-int=0:11:1
	true
END
expression='icmp or arp or port 9421'
fates_hold timeout 60 bash send
has "$(cat sniffer)" ',d[1-9][0-9]*\)' "packets that the sniffer's socket dropped"
