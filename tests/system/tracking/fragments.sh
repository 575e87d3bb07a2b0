#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: fragments that the sender or a router makes have the packet's number, and the reassembled packet has the same number
# requires: tcpdump
# timeout: 240

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/small-mtu.sh"

record_fragments 9000 10.8.0.2 10.8.0.3 "port 9000"

# Find the datagrams to port 9000 in the capture. Only their first fragments have ports. The other fragments
# have the same IP identification as the first one.
ids=$(tcpdump -r "$OUT/B.vb.pcap" -nn -t -v 'ip and dst port 9000' 2>/dev/null | sed -n 's/.* id \([0-9]*\),.*/\1/p' | sort -u)
is "$(wc -l <<<"$ids")" $((count + 5)) "datagrams"
as_tapped ip_rcv B vb "ip dst 10.8.0.2 and ( ip[4:2] = $(tr '\n' ' ' <<<"$ids" | sed 's/ $//; s/ / or ip[4:2] = /g') )"
is "$tapped" $((count * 5 + 5)) "packets they came in"
[ "$(tapped B vb 'ip[6:2] & 0x1fff != 0' | wc -l)" -gt $((count * 4)) ] || fail \
	"there were no unrelated fragments"

sent=$(numbers_at __ip_local_out 'udp 10\.9\.0\.1:[0-9]+ > 10\.8\.0\.2:9000 .* len=4028 ')
is "$(wc -l <<<"$sent")" "$count" "datagrams sent"
is "$(numbered veth_xmit ' > 10\.8\.0\.2.* len=(1514|1082) dev=va ')" "$(each 3)" \
	"their fragments at A's device"
is "$(numbered ip_forward ' > 10\.8\.0\.2.* len=(1500|1068) dev=ra ')" "$(each 3)" "at the router"
is "$(numbered veth_xmit ' > 10\.8\.0\.2.* len=[0-9]* dev=rb ' | grep -Fx -e "$(each 5)")" "$(each 5)" \
	"cut again"
is "$(numbered ip_rcv ' > 10\.8\.0\.2.* len=[0-9]* dev=vb ' | grep -Fx -e "$(each 5)")" "$(each 5)" "in B"
is "$(numbered ip_defrag ' > 10\.8\.0\.2')" "$(each 5)" "where the fragments are reassembled"
is "$(numbered udp_rcv 'udp 10\.9\.0\.1:[0-9]+ > 10\.8\.0\.2:9000 .* len=4008 ')" "$(each 1)" "the reassembled packet"
only '10\.9\.0\.1.* > 10\.8\.0\.2'
has_not "$(cat "$OUT/report")" ':7000\b' "unrelated packets"
