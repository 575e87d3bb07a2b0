#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a packet keeps its number through VXLAN, both inside its outer headers and after they are removed
# requires: tcpdump

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
#          A (10.42.0.1) xa --- xb (10.42.0.2) B, the tunnel

. "$(dirname "$0")/../lib/lib.sh"

. "$here/through-tunnel.sh"

through vxlan "vxlan id 42 dstport 4789" vxlan_xmit udp_rcv vxlan_rcv udp 'udp dst port 4789' 'udp[52:2]'
