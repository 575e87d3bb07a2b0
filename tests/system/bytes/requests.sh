#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --requests shows where the time of each request went, in agreement with the logs of client and server
# requires: jq socat
# timeout: 200

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B; va delays each packet of the client by 20 ms

. "$(dirname "$0")/../lib/lib.sh"
. "$here/bytes.sh"
. "$here/three-requests.sh"

trace-cmd record-skb --detail path -p 9000 -o "$OUT/trace.dat" -- ip netns exec A bash "$OUT/client" >"$OUT/client.log" 2>/dev/null

trace-cmd report-skb -i "$OUT/trace.dat" --requests --json >"$OUT/json" 2>/dev/null
matches_schema "$OUT/json" "requests"
is "$(jq -r 'select(.type == "request") | .request_bytes, .response_bytes' "$OUT/json" | tr '\n' ' ')" \
	"10 20 10 20 10 20 " "bytes of the requests and responses"

# near VALUE_NS MIN_US MAX_US WHAT: check that a time in ns is between two times in us
near() {
	[ $(($1 / 1000)) -ge "$2" ] && [ $(($1 / 1000)) -le "$3" ] || fail "$4: $1 ns is not from $2 to $3 us"
	ok "$4"
}

# check NUMBER: compare the request NUMBER of the report with the logs
check() {
	local total parts client server
	client=$(sed -n "$1s/ .*//p" "$OUT/client.log")
	server=$(sed -n "$1p" "$OUT/server.log")
	total=$(jq -r 'select(.type == "request") | .total_ns' "$OUT/json" | sed -n "$1p")
	parts=$(jq -r 'select(.type == "request") | .parts | "\(.application_ns) \(.client_ns)"' "$OUT/json" | sed -n "$1p")
	# The total is at least the server's time plus the 20 ms by which the client's device delays packets.
	near "$total" $((server + 20000)) "$client" "request $1: total"
	# The report's time of the application is longer than the time that the server measured, because
	# socat needs time to pass on the lines.
	near "${parts% *}" "$server" "$client" "request $1: application"
	near "${parts#* }" 20000 $((client - server)) "request $1: client, with the delay of its device"
}

for n in 1 2 3; do
	check "$n"
done
is "$(jq -r 'select(.type == "request") | select((.parts | add) > .total_ns or (.parts | add) < .total_ns * 0.9)' "$OUT/json")" "" \
	"the parts are the total time"

trace-cmd report-skb -i "$OUT/trace.dat" --requests --sort total --top 1 >"$OUT/text" 2>/dev/null
has "$(cat "$OUT/text")" '^slowest: [0-9]{3} ms at .*, of which application: [0-9.]+ ms \(socat-[0-9]+\)$' "the slowest request"
has "$(cat "$OUT/text")" '^… and 2 more$' "only one row"
