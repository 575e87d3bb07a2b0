#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: exactly the packets with a wrong checksum or without a route are shown as dropped, each with its reason
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/bad-packets.sh"

# Packets to port 9003 have a wrong checksum. The router B has no route for packets to port 9004. Packets to
# port 9005 are delivered. Ports 7003 and 7004 get the same packets as 9003 and 9004, but the filter does not
# match them.
echo 1 | in_b tee /proc/sys/net/ipv4/ip_forward >/dev/null
in_a ip route add 10.77.0.0/16 via 10.9.0.2

cat >"$OUT/command" <<'END'
# bad PREFIX: send packets of each kind. Their ports are PREFIX followed by 003 or 004.
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

# of_each COUNT WHAT: print a quarter of COUNT. The test sends each kind of packet four times, and the
# recording has only one of these four.
of_each() {
	[ "$1" -gt 0 ] && [ $(($1 % 4)) = 0 ] || fail "$2: $1 is not four times the same"
	echo $(($1 / 4))
}
drops TCP_CSUM 9003 "$(of_each "$(count snmp Tcp InCsumErrors)" "wrong TCP checksums")" 'tcp_v4_rcv'
drops UDP_CSUM 9003 "$(of_each "$(count snmp Udp InCsumErrors)" "wrong UDP checksums")" '__udp4_lib_rcv|udp_rcv'
drops IP_INNOROUTES 9004 "$(of_each "$(count netstat IpExt InNoRoutes)" "packets without a route")" 'ip_error'
listed TCP_CSUM UDP_CSUM IP_INNOROUTES
