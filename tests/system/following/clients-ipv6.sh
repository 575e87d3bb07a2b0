#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: exactly the calls, the packets and the answers of TCP, UDP and ping clients over IPv6 are recorded
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"

cd "$OUT"
family=-6
two_namespaces
noise_servers B
background in_b "$(program traffic)" -6 echo 9000
tasks=$(program tasks)
background ip netns exec B "$tasks" -6 answers 9000
wait_for "a server on TCP port 9000" listening B 9000
wait_for "a server on UDP port 9000" udp_listening B 9000
noise
# A client that is not part of the command uses the same ports on B. Its traffic also makes the kernel
# resolve the address of B before the recording.
ip netns exec A "$(program traffic)" chat fd09::2 9000 &
noise+=" $!"
at_exit stop $!

there="\[fd09::1\]:[0-9]+ > \[fd09::2\]:9000"
back="\[fd09::2\]:9000 > \[fd09::1\]:[0-9]+"
followed_client tcp __sys_socket=call __sys_connect=call "tcp_v6_connect=call tcp \*:?[0-9]* > \[fd09::2\]:9000" \
	"ip6_output=#1 tcp $there" "__dev_queue_xmit=#1 tcp $there" "veth_xmit=#1 tcp $there" \
	"ipv6_rcv=#1 tcp $there" "tcp_v6_rcv=#[0-9]+ tcp $back" \
	"__sys_sendto=call tcp $there" "tcp_sendmsg=call tcp $there" "ip6_output=#[0-9]+ tcp $there" \
	+ "tcp_v6_connect=call" "__sys_recvfrom=call tcp $there" "tcp_recvmsg=call tcp $there" \
	"inet_release=call tcp" -- -- "$tasks" fetch fd09::2 9000

# The UDP socket of the query is not connected, so only sendto() and the packet contain the peer's address.
followed_client dns __sys_socket=call __sys_sendto=call "udpv6_sendmsg=call udp \*:[0-9]+ > \[fd09::2\]:9000" \
	"ip6_output=#1 udp $there" "veth_xmit=#1 udp $there" "udpv6_rcv=#1 udp $there" \
	"ipv6_rcv=#2 udp $back" "udpv6_rcv=#2 udp $back" \
	+ "udpv6_sendmsg=call udp" "__sys_recvfrom=call udp \*:[0-9]+ > \*" "udpv6_recvmsg=call udp" \
	"inet_release=call udp" -- -- "$tasks" query fd09::2 9000

# pinged FUNCTION [PATTERN]: record a ping that sends with FUNCTION. The reply must arrive at a function that
# matches PATTERN.
pinged() {
	followed_client "$1" __sys_socket=call "$1=call icmpv6 .* > fd09::2" \
		"ip6_output=#1 icmpv6 fd09::1 > fd09::2 echo request" "veth_xmit=#1 icmpv6 .* echo request" \
		"icmpv6_rcv=#1 icmpv6 .* echo request" "ipv6_rcv=#2 icmpv6 fd09::2 > fd09::1 echo reply" \
		${2:+"$2=#2 icmpv6 .* echo reply"} \
		+ "$1=call icmpv6" "sock_recvmsg=call icmpv6" -- -- ping -6 -q -c 1 fd09::2
}
pinged rawv6_sendmsg rawv6_rcv
anyone_pings
pinged ping_v6_sendmsg icmpv6_rcv
