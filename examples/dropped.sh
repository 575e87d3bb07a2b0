#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# My packets get lost: which, where in the kernel, and why?
#
#    sudo examples/dropped.sh COMMAND [ARG…]     for instance: ping -c 3 -W 1 10.9.0.2
#
# Records what COMMAND sends and what comes back, and shows what was dropped: each packet's line, and the
# functions where the first one's way ended. With a rule of nftables in the way (some columns left out):
#
#    PACKET FLOW                                     VERDICT
#         1 icmp 10.9.0.1 > 10.9.0.2 echo request …  dropped in nft_do_chain: NETFILTER_DROP
#
# Behind this machine's last device it does not see: run it on the next machine, too.
set -eu

if [ $# = 0 ]; then
	echo "usage: $0 COMMAND [ARG…]" >&2
	exit 2
fi
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# The command may well fail, for its packets get lost. 125 is the recording's own failure.
status=0
trace-cmd record-skb -q -o "$work/trace.dat" -- "$@" || status=$?
[ $status != 125 ] || exit 125

# On standard error it says whether the recording is complete.
trace-cmd report-skb -i "$work/trace.dat" --dropped >"$work/dropped"
echo
cat "$work/dropped"
first=$(awk '/ dropped / { sub("!", "", $1); print $1; exit }' "$work/dropped")
if [ -n "$first" ]; then
	printf '\nThe way of number %s, where it ended:\n' "$first"
	trace-cmd report-skb -i "$work/trace.dat" --packet "$first" 2>/dev/null | grep -m 1 -B 12 '> *#[0-9]* dropped '
else
	printf '\nNone that was seen was dropped here. What became of the last ones:\n'
	trace-cmd report-skb -i "$work/trace.dat" 2>/dev/null | tail -n 5
fi
