#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --requests counts the pipelines of redis-benchmark, and their times agree
# requires: jq redis-server redis-benchmark
# tags: slow
# timeout: 200

# Network: A (10.9.0.1, redis-benchmark) va --- vb (10.9.0.2, redis at port 9000) B

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/bytes.sh"

two_namespaces
ip netns exec B redis-server --port 9000 --bind 10.9.0.2 --protected-mode no --save '' --dir "$OUT" >"$OUT/server" &
at_exit stop $!
wait_for "redis" listening B 9000

trace-cmd record-skb -b 20000 --detail path -p 9000 -o "$OUT/trace.dat" -- \
	ip netns exec A redis-benchmark -h 10.9.0.2 -p 9000 -c 1 -n 320 -P 16 -t ping_mbulk --csv >"$OUT/csv" 2>/dev/null
trace-cmd report-skb -i "$OUT/trace.dat" --requests --json >"$OUT/json" 2>/dev/null
matches_schema "$OUT/json" "requests"

# A PING has 14 bytes, and its answer has 7. Ignore requests with other lengths, because redis-benchmark also
# asks for the configuration.
is "$(jq -r 'select(.request_bytes == 14 * 16 and .response_bytes == 7 * 16) | 1' "$OUT/json" | wc -l)" 20 "number of pipelines"
# The columns are "test","rps","avg_latency_ms",… Only one pipeline runs at a time, so the sum of the times
# of all pipelines is at most the duration of the benchmark. redis-benchmark measures the latency of a
# pipeline, in milliseconds, only until the first answer can be read.
read -r rate average < <(awk -F '","|"' 'END { print $3, $4 }' "$OUT/csv")
sum=$(jq -r 'select(.request_bytes == 14 * 16) | .total_ns / 1e6' "$OUT/json" | awk '{ sum += $1 } END { print sum }')
awk -v sum="$sum" -v rate="$rate" -v average="$average" 'BEGIN { exit !(sum <= 320 / rate * 1000 + 2 && sum >= 20 * average / 2) }' ||
	fail "all pipelines took $sum ms; redis-benchmark made $rate requests a second, with a latency of $average ms"
ok "time of the pipelines"
is "$(jq -r 'select(.request_bytes == 14 * 16 and (.parts | add) > .total_ns)' "$OUT/json")" "" "the parts are not longer than the total"
is "$(in_a redis-cli -h 10.9.0.2 -p 9000 info commandstats | grep -o 'cmdstat_ping:calls=[0-9]*')" "cmdstat_ping:calls=320" "redis's own count"
