#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if only the client's calls are recorded, report-skb --requests claims no time for the server's program
# requires: jq socat
# tags: slow
# timeout: 200

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B; va delays each packet of the client by 20 ms

. "$(dirname "$0")/../lib/lib.sh"
. "$here/bytes.sh"
. "$here/three-requests.sh"

trace-cmd record-skb --detail path -o "$OUT/client.dat" -- ip netns exec A bash "$OUT/client" >/dev/null 2>&1
trace-cmd report-skb -i "$OUT/client.dat" --requests --json >"$OUT/json" 2>/dev/null
is "$(jq -r 'select(.type == "request") | .parts | keys | join(",")' "$OUT/json" | sort | uniq -c | tr -s ' ')" \
	" 3 client_ns,client_queue_ns,missing_bytes_ns,response_ns,sent_again_ns,server_stack_ns,transit_ns" "parts of the client"
