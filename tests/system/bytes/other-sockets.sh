#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --bytes names the right calls with io_uring; with MPTCP, it names no calls instead of wrong calls
# requires: jq
# timeout: 300

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/bytes.sh"

# unknown NAME: check that the report lists at least 300,000 bytes, and names no call for any of them
unknown() {
	is "$(jq -r 'select(.type == "bytes" and (.write != null or .read != null))' "$OUT/$1/json")" "" "$1: no call is named"
	[ "$(jq -s 'map(select(.type == "bytes") | .to - .from) | add' "$OUT/$1/json")" -ge 300000 ] ||
		fail "$1: the bytes are missing"
	ok "$1: the bytes are unknown"
}

two_namespaces
stream io_uring 0 10.9.0.2 "1000000 50000 300 uw" "30000 300 ur" --detail path -p 9000
[ "$(awk '$7 == "u"' "$OUT/io_uring/log" | wc -l)" -gt 20 ] || fail "io_uring: too few calls"

# MPTCP spreads its data over several TCP connections, and numbers the bytes itself.
if [ "$(in_a sysctl -n net.mptcp.enabled 2>/dev/null)" = 1 ]; then
	stream mptcp 1 10.9.0.2 "300000 20000 500 Mw" "20000 300 Mr" --detail path -p 9000
	unknown mptcp
fi
