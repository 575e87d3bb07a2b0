#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Once a day a packet gets lost: wait for it, and have what led to it.
#
#    sudo examples/leave-it-running.sh PORT FILE     for instance: 443 lost.dat
#
# Keeps the newest 32 MB of what passes from and to PORT in the kernel's buffers. Nothing is written until the kernel drops
# such a packet; then FILE is made, with all that came before it, and the lost packet is shown, and who decided (some
# columns left out). Ctrl-C writes what there is. To go on, and to keep the last ten, add --keep 10.
#
#    the ring ended by #603, which was dropped: udp 10.9.0.1:40212 > 10.9.0.2:9001 dropped in nf_hook_slow: NETFILTER_DROP
set -eu

if [ $# != 2 ]; then
	echo "usage: $0 PORT FILE" >&2
	exit 2
fi
# The points alone: what does not match costs least.
trace-cmd record-skb --why --detail path --ring 32M --until drop -o "$2" -p "$1" || exit
echo
trace-cmd report-skb -i "$2" --dropped
trace-cmd report-skb -i "$2" --why
