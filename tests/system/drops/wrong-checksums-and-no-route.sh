#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: packets dropped for a wrong checksum or a missing route: exactly these, each with its reason
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/bad-packets.sh"

# Port 9003: wrong checksum. 9004: B, as a router, has no route. 9005: all packets are delivered. The same is sent to
# the ports from 7001 on, which the filter does not match.
echo 1 | in_b tee /proc/sys/net/ipv4/ip_forward >/dev/null
in_a ip route add 10.77.0.0/16 via 10.9.0.2

cat >"$OUT/command" <<'END'
# bad PREFIX: send packets of each kind, to the ports that begin with PREFIX
bad() {
	"$traffic" spoil tcp 10.9.0.2 "$1"003
	"$traffic" spoil udp 10.9.0.2 "$1"003
	"$traffic" spoil udp 10.9.0.2 "$1"003
	"$traffic" number 10.77.0.1 "$1"004 0
}
END

before_recording() {
	is "$(count snmp Tcp InCsumErrors) $(count snmp Udp InCsumErrors) $(count netstat IpExt InNoRoutes)" "1 2 5" "B's counters know the bad packets"
}
record_drops

# of_each COUNT WHAT: print a quarter of COUNT: each kind was sent four times, and recorded in one of these
# times.
of_each() {
	[ "$1" -gt 0 ] && [ $(($1 % 4)) = 0 ] || fail "$2: $1 is not four times the same"
	echo $(($1 / 4))
}
drops TCP_CSUM 9003 "$(of_each "$(count snmp Tcp InCsumErrors)" "wrong TCP checksums")" 'tcp_v4_rcv'
drops UDP_CSUM 9003 "$(of_each "$(count snmp Udp InCsumErrors)" "wrong UDP checksums")" '__udp4_lib_rcv|udp_rcv'
drops IP_INNOROUTES 9004 "$(of_each "$(count netstat IpExt InNoRoutes)" "packets without a route")" 'ip_error'
listed TCP_CSUM UDP_CSUM IP_INNOROUTES
