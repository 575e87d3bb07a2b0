#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Show one call of a kernel function for one packet. For example: what does tcp_v4_rcv() do with a packet to port 9000?
#
#    sudo examples/function.sh FUNCTION EXPRESSION COMMAND [ARG…]
#    for instance: tcp_v4_rcv 'tcp dst port 9000' nc -z 10.9.0.2 9000
#
# function_graph alone shows tcp_v4_rcv() for every packet of the machine. This script shows the call only for a packet
# that matches EXPRESSION:
#
#    tcp_v4_rcv() { /* #1 tcp 10.9.0.1:41044 > 10.9.0.2:9000 S */
#      __inet_lookup_listener();
#      tcp_filter() {
#    …
set -eu

if [ $# -lt 3 ]; then
	echo "usage: $0 FUNCTION EXPRESSION COMMAND [ARG…]" >&2
	exit 2
fi
function=$1
expression=$2
shift 2
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

status=0
trace-cmd record-skb -q --detail full -o "$work/trace.dat" "$expression" -- "$@" || status=$?
[ $status != 125 ] || exit 125

# Print the first call, up to its closing brace, which has the same indentation.
echo
trace-cmd report -i "$work/trace.dat" | awk -v call=" $function() {" '
	{ at = index($0, "| ") }
	!inside && index($0, call) { inside = match(substr($0, at + 1), /[^ ]/) }
	inside && at { print substr($0, at + inside) }
	inside && at && match(substr($0, at + 1), /[^ ]/) == inside && substr($0, at + inside, 1) == "}" { exit }'
