#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# My service answers slowly: is it the network, this machine's kernel, or the program?
#
#    sudo examples/slow.sh PORT SECONDS     for instance: 443 10
#
# Records the traffic of PORT for SECONDS and shows where the time went. The output for a server that takes 0.4 s to
# answer (some lines and columns left out):
#
#      FLOW  FROM -> TO               COUNT      P50      MAX  OF
#         1  queued -> read               1   122 us   122 us  tcp 10.9.0.1:38498 > 10.9.0.2:80
#         1  read -> answer sent          1   401 ms   401 ms  tcp 10.9.0.2:80 > 10.9.0.1:38498
#    longest gap 401 ms: #5 -> #6: the application had the client's data and had sent nothing
set -eu

if [ $# != 2 ]; then
	echo "usage: $0 PORT SECONDS" >&2
	exit 2
fi
# Keep the recording, for KernelShark.
work=$(mktemp -d)

# Record probe points only (--detail path): fewer recorded functions distort the times less.
trace-cmd record-skb --detail path -o "$work/trace.dat" -p "$1" --until "time=$2s" || exit
echo
trace-cmd report-skb -i "$work/trace.dat" --latency
printf '\nThe packets that took longest:\n'
trace-cmd report-skb -i "$work/trace.dat" --slowest 3
