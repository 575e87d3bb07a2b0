#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Wait for a packet that gets lost once a day, and keep a recording of the events before the loss.
#
#    sudo examples/leave-it-running.sh PORT FILE     for instance: 443 lost.dat
#
# Keeps the newest 32 MB of the recording of PORT in the kernel's buffers. When the kernel drops a packet of
# PORT, the script writes FILE, with everything that led to the drop. Then it shows the dropped packet and
# the rule that dropped it (some columns left out). Ctrl-C writes the file without waiting. To continue after
# a drop and keep the last ten files, add --keep 10.
#
#    the ring ended by #603, which was dropped: udp 10.9.0.1:40212 > 10.9.0.2:9001 dropped in nf_hook_slow: NETFILTER_DROP
set -eu

if [ $# != 2 ]; then
	echo "usage: $0 PORT FILE" >&2
	exit 2
fi
# Record probe points only (--detail path), which costs other traffic least.
trace-cmd record-skb --why --detail path --ring 32M --until drop -o "$2" -p "$1" || exit
echo
trace-cmd report-skb --list -i "$2" --dropped
trace-cmd report-skb -i "$2" --why
