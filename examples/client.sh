#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One client of a busy server: what does the kernel do for this one, while it serves thousands?
#
#    sudo examples/client.sh ADDRESS PORT SECONDS     for instance: 192.0.2.7 443 10
#
# Records what passes between ADDRESS and PORT here, for as long as that, and shows each of its flows, and what
# became of each packet. Everybody else's packets are not recorded (some columns left out):
#
#    FLOW                                    >  <  VERDICT
#    tcp 192.0.2.7:50122 > 192.0.2.1:443     7  6
set -eu

if [ $# != 3 ]; then
	echo "usage: $0 ADDRESS PORT SECONDS" >&2
	exit 2
fi
# The recording stays there, for KernelShark.
work=$(mktemp -d)

trace-cmd record-skb -o "$work/trace.dat" --host "$1" -p "$2" --duration "$3" || exit
echo
trace-cmd report-skb -i "$work/trace.dat" --flow
echo
trace-cmd report-skb -i "$work/trace.dat" 2>/dev/null
