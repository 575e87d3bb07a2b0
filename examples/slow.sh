#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# My service answers slowly: is it the network, this machine's kernel, or the program?
#
#    sudo examples/slow.sh PORT SECONDS     for instance: 443 10
#
# Records what passes from and to PORT here, for as long as that, and shows where the time went. With a server that
# thinks for a while (some lines and columns left out):
#
#      FLOW  FROM -> TO               COUNT      P50      MAX  OF
#         1  queued -> read               1   122 us   122 us  tcp 10.9.0.1:38498 > 10.9.0.2:80
#         1  read -> answer sent          1   401 ms   401 ms  tcp 10.9.0.2:80 > 10.9.0.1:38498
#    longest gap 401 ms: #5 -> #6: the application had the request and had not answered
set -eu

if [ $# != 2 ]; then
	echo "usage: $0 PORT SECONDS" >&2
	exit 2
fi
# The recording stays there, for KernelShark.
work=$(mktemp -d)

# The points alone: the fewer functions are recorded, the truer the times.
trace-cmd record-skb --detail path -o "$work/trace.dat" -p "$1" --duration "$2" || exit
echo
trace-cmd report-skb -i "$work/trace.dat" --latency
printf '\nThe packets that took longest:\n'
trace-cmd report-skb -i "$work/trace.dat" --slowest 3
