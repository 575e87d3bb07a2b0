#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: -p limits the recording of a command: DNS packets and calls on the DNS socket are left out, and flows without ports are recorded
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"

cd "$OUT"
peer 53

cat >command <<'END'
"$1" query 10.9.0.2 53 &&
"$1" ask 10.9.0.2 53 &&
"$1" fetch 10.9.0.2 9000 &&
ping -q -c 1 10.9.0.2
END
is "$(followed A all -- sh command "$tasks")" 0 "without a filter: exit status"
nothing_lost all.said
nothing_of_noise all.dat
is "$(list_followed tasks raw | wc -l)" 4 "without a filter: tasks with socket calls"
has "$(cat report)" 'call udp .*:53 ' "without a filter: the calls of its DNS socket"
has "$(cat report)" '#[0-9]+ udp .*:53 ' "without a filter: its DNS packets"

is "$(followed A few -p 9000 -- sh command "$tasks")" 0 "-p 9000: exit status"
nothing_lost few.said
nothing_of_noise few.dat
has_not "$(cat report)" ' udp ' "-p 9000: nothing of its DNS"
# The server at port 9000 is not part of the command, but its calls match, too.
is "$(grep " call: " raw | grep -oE "^ *(tasks|ping)-[0-9]+" | sort -u | wc -l)" 2 \
	"-p 9000: tasks with calls, the client and the ping"
# When connect() begins, the kernel has not yet copied the address from user memory, so the port is unknown.
# Therefore the first recorded function of connect() is inet_stream_connect().
in_order report "inet_stream_connect=call tcp" "ip_output=#1 tcp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:9000" \
	"__sys_sendto=call tcp" "__sys_recvfrom=call tcp" "__sys_socket=call icmp" "raw_sendmsg=call icmp" \
	"ip_output=#[0-9]+ icmp .* echo request" "raw_rcv=#[0-9]+ icmp .* echo reply"
# The call that reads may begin before the reply arrives. It then waits for the reply.
in_order report "ip_output=#[0-9]+ icmp .* echo request" "sock_recvmsg=call icmp"
is "$(list_followed flows raw | cut -d " " -f 1 | sort | tr "\n" " ")" "1 6 " "-p 9000: two flows, one without ports"

# No flow uses port 9999, so no flow with ports may be recorded.
is "$(followed A none -p 9999 -- sh command "$tasks")" 0 "-p 9999: exit status"
nothing_of_noise none.dat
has_not "$(cat report)" ' (udp|tcp) ' "-p 9999: nothing with ports"
has "$(cat report)" 'icmp_rcv\(\).*echo reply' "-p 9999: the ping"
