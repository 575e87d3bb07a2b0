#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Two hosts, one place for what they record: nothing is written where it happens.
#
#    examples/two-hosts.sh collect PORT DIRECTORY SECONDS          on the host that keeps the recordings
#    sudo examples/two-hosts.sh record HOST:PORT COMMAND [ARG…]    on each of the others, HOST being the first
#
# trace-cmd's own listener receives what record-skb -N sends, and makes a file of each recording, named after who sent
# it. When SECONDS are over, the packets of each are shown:
#
#    trace.10.9.0.1:40412.dat
#    PACKET            TIME  FLOW                                     PATH                             VERDICT
#         1       26.255371  icmp 10.9.0.1 > 10.9.0.2 echo request    va@4026532251 > vb@4026532303    consumed by icmp_rcv
set -eu

usage() {
	echo "usage: $0 collect PORT DIRECTORY SECONDS, or: $0 record HOST:PORT COMMAND [ARG…]" >&2
	exit 2
}

case $#,${1:-} in
4,collect)
	timeout --signal=INT "$4" trace-cmd listen -p "$2" -d "$3" || [ $? = 124 ]
	for file in "$3"/trace.*.dat; do
		printf '\n%s\n' "${file##*/}"
		trace-cmd report-skb -i "$file"
	done
	;;
[3-9],record | [1-9][0-9]*,record)
	collector=$2
	shift 2
	exec trace-cmd record-skb --detail path -N "$collector" -- "$@"
	;;
*) usage ;;
esac
