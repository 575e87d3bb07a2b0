#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a packet keeps its number over a bridge with three ports, and goes to one port only
# requires: tcpdump
# timeout: 240

# Network: A (10.9.0.1) va --- sa
#          B (10.9.0.2) vb --- sb   sa, sb and sc are ports of br0 in S
#          C (10.9.0.3) vc --- sc

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/bridge.sh"

record_bridged B.vb

as_tapped ip_rcv B vb 'dst port 9000'
[ "$tapped" -ge $((count + 5 + 3 * 4)) ] || fail "B has only $tapped packets"

# Packets to B only go through the bridge to no other port.
numbers=$(numbers_at veth_xmit '> 10\.9\.0\.2:9000 .* dev=va ')
same br_handle_frame_finish '> 10\.9\.0\.2:9000 .* dev=sa '
same br_dev_queue_push_xmit '> 10\.9\.0\.2:9000 .* dev=sb '
same tcp_v4_rcv '> 10\.9\.0\.2:9000 .* dev=vb '
is "$(numbers_at veth_xmit '> 10\.9\.0\.2:9000 .* dev=sc ')" "" "packets to C"
