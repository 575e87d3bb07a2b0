#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: exactly the calls, the packets and the answers of TCP clients, of UDP clients with and without connect(), and of ping are recorded
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"

cd "$OUT"
peer

there="10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:9000"
back="10\.9\.0\.2:9000 > 10\.9\.0\.1:[0-9]+"
followed_client tcp __sys_socket=call __sys_connect=call "tcp_v4_connect=call tcp \*:?[0-9]* > 10\.9\.0\.2:9000" \
	"ip_output=#1 tcp $there" "__dev_queue_xmit=#1 tcp $there" "veth_xmit=#1 tcp $there" \
	"ip_rcv=#1 tcp $there" "tcp_v4_rcv=#[0-9]+ tcp $back" \
	"__sys_sendto=call tcp $there" "tcp_sendmsg=call tcp $there" \
	"ip_output=#[0-9]+ tcp $there" "veth_xmit=#[0-9]+ tcp $there" \
	+ __sys_socket=call __sys_connect=call "tcp_v4_connect=call" "__sys_sendto=call tcp $there" \
	"__sys_recvfrom=call tcp $there" "tcp_recvmsg=call tcp $there" "__sys_shutdown=call tcp $there" \
	"__sys_recvfrom=call tcp $there" "inet_release=call tcp" -- -- "$tasks" fetch 10.9.0.2 9000

followed_client udp __sys_socket=call __sys_connect=call "__sys_sendto=call udp $there" "udp_sendmsg=call udp $there" \
	"ip_output=#1 udp $there" "veth_xmit=#1 udp $there" "udp_rcv=#1 udp $there" \
	"ip_output=#2 udp $back" "ip_rcv=#2 udp $back" "udp_rcv=#2 udp $back" \
	+ "__sys_sendto=call udp $there" "__sys_recvfrom=call udp $there" "udp_recvmsg=call udp $there" \
	"inet_release=call udp" -- -- "$tasks" ask 10.9.0.2 9000

# The UDP socket of the query is not connected, so only sendto() and the packet contain the peer's address.
followed_client dns __sys_socket=call __sys_sendto=call "udp_sendmsg=call udp \*:[0-9]+ > 10\.9\.0\.2:9000" \
	"ip_output=#1 udp $there" "veth_xmit=#1 udp $there" "udp_rcv=#1 udp $there" \
	"ip_rcv=#2 udp $back" "udp_rcv=#2 udp $back" \
	+ "udp_sendmsg=call udp" "__sys_recvfrom=call udp \*:[0-9]+ > \*" "udp_recvmsg=call udp" \
	"inet_release=call udp" -- -- "$tasks" query 10.9.0.2 9000

# Test the other system calls that send data.
followed_client calls __sys_socket=call "__sys_sendmsg=call udp $there" "udp_sendmsg=call udp $there" \
	"ip_output=#1 udp $there" "ip_rcv=#2 udp $back" "__sys_sendmmsg=call udp $there" "udp_sendmsg=call udp $there" \
	"ip_output=#3 udp $there" "ip_rcv=#4 udp $back" "sock_write_iter=call udp $there" "udp_sendmsg=call udp $there" \
	"ip_output=#5 udp $there" "ip_rcv=#6 udp $back" \
	+ "__sys_sendmsg=call" "__sys_recvmsg=call udp $there" "udp_recvmsg=call udp $there" \
	"__sys_sendmmsg=call" "(__sys|do)_recvmmsg=call udp $there" "udp_recvmsg=call udp $there" \
	"sock_write_iter=call" "sock_read_iter=call udp $there" "udp_recvmsg=call udp $there" \
	"inet_release=call udp" -- -- "$tasks" calls 10.9.0.2 9000

# If the address that a call passes is too short, the event must not name a peer: the bytes after the address
# do not belong to the address.
is "$(followed A short -- "$tasks" short 10.9.0.2 9000)" 0 "short: exit status"
is "$(trace-cmd report -i short.dat | grep -c 'call: .* udp_sendmsg tx udp .* > 10\.9\.0\.2:9000 ')" 1 \
	"short: one call names the peer"
is "$(trace-cmd report -i short.dat | grep -c 'call: .* udp_sendmsg tx udp .* > 0\.0\.0\.0:0 ')" 1 "short: the other call has no peer"

# A new namespace does not allow ICMP sockets (ping_group_range), so here ping uses a raw socket.
followed_client raw __sys_socket=call "raw_sendmsg=call icmp .* > 10\.9\.0\.2" \
	"ip_output=#1 icmp 10\.9\.0\.1 > 10\.9\.0\.2 echo request" "veth_xmit=#1 icmp .* echo request" \
	"ip_rcv=#2 icmp 10\.9\.0\.2 > 10\.9\.0\.1 echo reply" "raw_rcv=#2 icmp .* echo reply" \
	+ "raw_sendmsg=call icmp" "sock_recvmsg=call icmp" -- -- ping -q -c 1 10.9.0.2

# With ping_group_range set, ping uses an ICMP socket.
anyone_pings
followed_client ping __sys_socket=call "ping_v4_sendmsg=call icmp .* > 10\.9\.0\.2" \
	"ip_output=#1 icmp 10\.9\.0\.1 > 10\.9\.0\.2 echo request" "veth_xmit=#1 icmp .* echo request" \
	"ip_rcv=#2 icmp 10\.9\.0\.2 > 10\.9\.0\.1 echo reply" "icmp_rcv=#2 icmp .* echo reply" \
	+ "ping_v4_sendmsg=call icmp" "sock_recvmsg=call icmp" -- -- ping -q -c 1 10.9.0.2
