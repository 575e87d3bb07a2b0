#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Follow packets through a tunnel: what goes into WireGuard (vxlan, gre, IPsec), what comes out, and where does it go?
#
#    sudo examples/wireguard.sh COMMAND [ARG…]     for instance: ping -c 1 10.7.0.2
#
# Records the packets that COMMAND sends and receives, and shows the way of the first packet. This packet
# keeps its number when WireGuard encrypts it and when a kernel thread on another CPU decrypts it (some lines
# left out):
#
#    wg_xmit tx icmp 10.7.0.1:0 > 10.7.0.2:0 flags= len=84 dev=wg0
#    __ip_local_out tx udp 10.9.0.1:51820 > 10.9.0.2:51820 flags= len=156 dev=wg0
#    veth_xmit tx udp 10.9.0.1:51820 > 10.9.0.2:51820 flags= len=170 dev=va
set -eu

if [ $# = 0 ]; then
	echo "usage: $0 COMMAND [ARG…]" >&2
	exit 2
fi
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

trace-cmd record-skb -q --detail path -o "$work/trace.dat" -- "$@" || exit
echo
trace-cmd report-skb --list -i "$work/trace.dat" 2>/dev/null
printf '\nThe first packet, at each point:\n'
trace-cmd report -i "$work/trace.dat" | sed -nE 's/^.* packet: +#1 (.*) netns=.*/  \1/p'
