# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# routed-delays.sh - delays on a path through a router. The recordings use longest-gap.sh.
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

three_namespaces
in_r() {
	ip netns exec R "$@"
}

# exchange PORT [OPTION…]: record a request and its answer
exchange() {
	serve "$1" accept recv 1 send 1
	record "${@:2}" -p "$1" -- ip netns exec A "$steps" connect 10.8.0.2 "$1" send 1 recv 1
}

watch_a() {
	rm -f "$gaps/pcap" "$gaps/tcpdump"
	ip netns exec A tcpdump --immediate-mode -U -s 100 -i va -w "$gaps/pcap" tcp 2>"$gaps/tcpdump" &
	tcpdump=$!
	wait_for "tcpdump" grep -q 'listening on' "$gaps/tcpdump"
}
