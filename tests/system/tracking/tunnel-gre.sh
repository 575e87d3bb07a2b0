#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a packet keeps its number through GRE, both inside its outer headers and after they are removed
# requires: tcpdump
# tags: slow

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
#          A (10.42.0.1) xa --- xb (10.42.0.2) B, the tunnel

. "$(dirname "$0")/../lib/lib.sh"

# The module of the tunnel makes devices in the guest's first namespace. Unloading the module removes the
# devices.
modprobe ip_gre
at_exit modprobe -r ip_gre
. "$here/through-tunnel.sh"

through gre gre ipgre_xmit ip_local_deliver gre_rcv gre 'ip proto 47' 'ip[46:2]'
