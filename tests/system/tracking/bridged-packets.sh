#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a packet and its copies to all ports keep the packet's number over a bridge with three ports
# requires: tcpdump
# tags: slow
# timeout: 240

# Network: A (10.9.0.1) va --- sa
#          B (10.9.0.2) vb --- sb   sa, sb and sc are ports of br0 in S
#          C (10.9.0.3) vc --- sc

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/bridge.sh"

is "$(collected env)" "$wanted" "without recording"
record_bridged A.va B.vb C.vc S.br0

as_tapped ip_rcv C vc 'port 9000'
is "$tapped" $((count + 5)) "C has the broadcasts and nothing else"

numbers=$(numbers_at ip_mc_output '> 10\.9\.0\.255:9000 ')
is "$(wc -l <<<"$numbers")" $((count + 5)) "broadcasts"
same veth_xmit '> 10\.9\.0\.255:9000 .* dev=va '
same br_handle_frame_finish '> 10\.9\.0\.255:9000 .* dev=sa '
same br_dev_queue_push_xmit '> 10\.9\.0\.255:9000 .* dev=sb '
same br_dev_queue_push_xmit '> 10\.9\.0\.255:9000 .* dev=sc '
same ip_rcv '> 10\.9\.0\.255:9000 .* dev=vb '
same ip_rcv '> 10\.9\.0\.255:9000 .* dev=vc '
same udp_rcv '> 10\.9\.0\.255:9000 .* dev=vc '
same __netif_receive_skb '> 10\.9\.0\.255:9000 .* dev=br0 '
has "$(cat "$OUT/report")" "$(line_of br_handle_frame_finish '# udp 10.9.0.1:* > 10.9.0.255:9000')" \
	"a line of the bridge"

as_tapped ip_rcv B vb 'dst port 9000'
[ "$tapped" -ge $((count + 5 + 3 * 4)) ] || fail "B has only $tapped packets"

# The bridge must send the packets for B only on the port sb.
numbers=$(numbers_at veth_xmit '> 10\.9\.0\.2:9000 .* dev=va ')
same br_handle_frame_finish '> 10\.9\.0\.2:9000 .* dev=sa '
same br_dev_queue_push_xmit '> 10\.9\.0\.2:9000 .* dev=sb '
same tcp_v4_rcv '> 10\.9\.0\.2:9000 .* dev=vb '
is "$(numbers_at veth_xmit '> 10\.9\.0\.2:9000 .* dev=sc ')" "" "packets to C"
