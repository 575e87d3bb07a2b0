#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Trace one client of a busy server: what does the kernel do for this client, while it serves thousands of others?
#
#    sudo examples/client.sh ADDRESS PORT SECONDS     for instance: 192.0.2.7 443 10
#
# Records the traffic between ADDRESS and the local PORT for SECONDS. Then shows each flow and the fate of each packet.
# Packets of other clients are not recorded (some columns left out):
#
#    FLOW                                    >  <  VERDICT
#    tcp 192.0.2.7:50122 > 192.0.2.1:443     7  6
set -eu

if [ $# != 3 ]; then
	echo "usage: $0 ADDRESS PORT SECONDS" >&2
	exit 2
fi
# Keep the recording, for KernelShark.
work=$(mktemp -d)

trace-cmd record-skb -o "$work/trace.dat" --host "$1" -p "$2" --until "time=$3s" || exit
echo
trace-cmd report-skb -i "$work/trace.dat" --flow
echo
trace-cmd report-skb --list -i "$work/trace.dat" 2>/dev/null
