#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: IPv6 fragments keep the packet's number through a router, and the reassembled packet has the same number
# requires: tcpdump
# timeout: 240

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/small-mtu.sh"

family=-6
record_fragments 9006 fd08::2 10.8.0.3 "port 9006"

as_tapped ipv6_rcv B vb 'ip6 and (ip6[6] = 17 or ip6[6] = 44)'
is "$tapped" $((count * 4 + 5)) "packets of the IPv6 datagrams"

sent=$(numbers_at __ip6_local_out 'udp \[fd09::1\]:[0-9]+ > \[fd08::2\]:9006 .* len=4048 ')
is "$(wc -l <<<"$sent")" "$count" "datagrams sent by IPv6"
is "$(numbered veth_xmit '\[?fd08::2.* dev=va ' | grep -Fx -e "$(each 4)")" "$(each 4)" \
	"their fragments at A's device"
is "$(numbered ip6_forward '> \[?fd08::2' | grep -Fx -e "$(each 4)")" "$(each 4)" "at the router"
is "$(numbered ipv6_frag_rcv '')" "$(each 4)" "where the fragments are reassembled"
is "$(numbered udpv6_rcv 'udp \[fd09::1\]:[0-9]+ > \[fd08::2\]:9006 .* len=4008 ')" "$(each 1)" \
	"and the whole"
only 'fd09::1.* > \[?fd08::2'
has_not "$(cat "$OUT/report")" ':7000\b' "unrelated packets"
