#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: with keep-alive, report-skb --requests agrees with $request_time in nginx's log and with curl's times
# requires: jq nginx curl socat
# timeout: 200

# Network: A (10.9.0.1, curl) va --- vb (10.9.0.2, nginx at port 9000) B; nginx asks a slow program at port 9100

. "$(dirname "$0")/../lib/lib.sh"
. "$here/bytes.sh"
. "$here/slow-nginx.sh"

# With keep-alive, curl uses one connection for its 12 requests.
urls=() outputs=()
for name in 050 200 100 300 050 200 100 300 050 200 100 300; do
	urls+=("http://10.9.0.2:9000/$name")
	outputs+=(-o /dev/null)
done
trace-cmd record-skb --detail path -p 9000 -o "$OUT/keep.dat" -- ip netns exec A curl -s -w '%{time_total}\n' "${outputs[@]}" "${urls[@]}" \
	>"$OUT/curl" 2>/dev/null
trace-cmd report-skb -i "$OUT/keep.dat" --requests --json >"$OUT/json" 2>/dev/null
matches_schema "$OUT/json" "keep-alive"
is "$(awk '{ print $2 }' "$OUT/access.log" | tr '\n' ' ')" "1 2 3 4 5 6 7 8 9 10 11 12 " "nginx has logged the requests, on one connection"

# Fields of each line: total time, time in the application, PID of the application, nginx's time, curl's time,
# and the pause of the slow program.
jq -r 'select(.type == "request") | "\(.total_ns / 1e6 | floor) \(.parts.application_ns / 1e6 | floor) \(.server.pid)"' "$OUT/json" |
	paste -d ' ' - <(awk '{ print $1 * 1000 }' "$OUT/access.log") <(awk '{ print $1 * 1000 }' "$OUT/curl") \
		<(printf '%s\n' "${urls[@]##*/}") >"$OUT/both"
is "$(wc -l <"$OUT/both")" 12 "number of requests"
is "$(awk -v pid="$server" 'NF != 6 || $3 != pid || $2 < $6 || $1 < $2 || $1 > $5' "$OUT/both")" "" "the pause, the application, the total and curl's time"
# nginx takes the time only when it waits for events. If nginx waits for a CPU, a single time may differ.
is "$(awk '{ print $2 < $4 ? $4 - $2 : $2 - $4 }' "$OUT/both" | sort -n | awk 'NR == 6 && $1 > 30')" "" "half of the times agree with nginx to 30 ms"
has "$(trace-cmd report-skb -i "$OUT/keep.dat" --requests --slowest 1 2>/dev/null)" '^slowest: [3-9][0-9]{2} ms .*, of which application: [3-9][0-9]{2} ms \(nginx-' \
	"the slowest request"
