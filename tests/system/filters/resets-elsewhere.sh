#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: TCP resets for packets that do not match are recorded only in the namespaces that --netns selects
# requires: nstat
# kernels: 6.12 6.12-rt newest
# tags: main
# timeout: 120

# Network: lo (127.0.0.1) in A; lo (127.0.0.1) in B. No socket listens.
#
# Linux 6.1 reports no reset for a packet without a socket.

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
connect_both() {
	for ns in A B; do
		ip netns exec $ns bash -c 'echo >/dev/tcp/127.0.0.1/9' 2>/dev/null
	done
}
# resets OPTION…: record a connection in each namespace with these options, and print the number of recorded
# resets
resets() {
	trace-cmd record-skb -o "$OUT/trace.dat" -p 9 "$@" -- bash -c "$(declare -f connect_both); connect_both; :" 2>"$OUT/said" ||
		fail "$(cat "$OUT/said")"
	nothing_lost "$OUT/said" >/dev/null
	trace-cmd report -i "$OUT/trace.dat" 2>/dev/null >"$OUT/report"
	grep -c ' reset: ' "$OUT/report" || [ $? = 1 ]
}
is "$(resets)" 2 "the resets of both namespaces"
is "$(resets --netns A)" 1 "only that of A"
is "$(resets --netns B)" 1 "only that of B"
# The test made three recordings. During each recording, one reset was sent in A, and one in B.
for ns in A B; do
	is "$(ip netns exec $ns nstat -asz TcpOutRsts | awk '/OutRsts/ { print $2 }')" 3 "resets that $ns has sent"
done
