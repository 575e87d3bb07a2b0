#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# My packets get lost: which ones, where in the kernel, and why?
#
#    sudo examples/dropped.sh COMMAND [ARG…]     for instance: ping -c 3 -W 1 10.9.0.2
#
# Records the packets that COMMAND sends and receives, and shows the dropped packets. For the first dropped
# packet, it also shows the functions around the drop. The output for a packet that an nftables rule dropped
# (some columns left out):
#
#    PACKET FLOW                                     VERDICT
#         1 icmp 10.9.0.1 > 10.9.0.2 echo request …  dropped in nft_do_chain: NETFILTER_DROP
#
# The script shows only drops on this machine. If nothing was dropped here, run it on the next machine, too.
set -eu

if [ $# = 0 ]; then
	echo "usage: $0 COMMAND [ARG…]" >&2
	exit 2
fi
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# COMMAND may fail because its packets get lost. Exit status 125 means that the recording itself failed.
status=0
trace-cmd record-skb -q -o "$work/trace.dat" -- "$@" || status=$?
[ $status != 125 ] || exit 125

# If the recording is incomplete, report-skb says so on standard error, which the user sees.
trace-cmd report-skb --list -i "$work/trace.dat" --dropped >"$work/dropped"
echo
cat "$work/dropped"
first=$(awk '/ dropped / { sub("!", "", $1); print $1; exit }' "$work/dropped")
if [ -n "$first" ]; then
	printf '\nThe last functions before packet %s was dropped:\n' "$first"
	trace-cmd report-skb -i "$work/trace.dat" --packet "$first" 2>/dev/null | grep -m 1 -B 12 '> *#[0-9]* dropped '
else
	printf '\nNo recorded packet was dropped on this machine. The last packets:\n'
	trace-cmd report-skb --list -i "$work/trace.dat" 2>/dev/null | tail -n 5
fi
