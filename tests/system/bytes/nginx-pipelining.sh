#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: two requests in one write count as one request of report-skb --requests, with the time of both together
# requires: jq nginx socat
# tags: slow
# timeout: 200

# Network: A (10.9.0.1, curl) va --- vb (10.9.0.2, nginx at port 9000) B; nginx asks a slow program at port 9100

. "$(dirname "$0")/../lib/lib.sh"
. "$here/bytes.sh"
. "$here/slow-nginx.sh"

cat >"$OUT/pipeline" <<'END'
exec 3<>/dev/tcp/10.9.0.2/9000
start=$(date +%s%N)
cat two >&3
cat <&3 >/dev/null
echo $((($(date +%s%N) - start) / 1000000)) >took
END
cd "$OUT"
# Both requests are in a file, because bash's printf would call write() for each line. cat calls write() once.
printf 'GET /150 HTTP/1.1\r\nHost: x\r\n\r\nGET /250 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n' >two
trace-cmd record-skb --detail path -p 9000 -o "$OUT/pipe.dat" -- ip netns exec A bash "$OUT/pipeline" 2>/dev/null
trace-cmd report-skb -i "$OUT/pipe.dat" --requests --json >"$OUT/json" 2>/dev/null
total=$(jq -r 'select(.type == "request") | (.total_ns + .rest_ns) / 1e6 | floor' "$OUT/json")
is "$(awk '{ print $3 }' "$OUT/access.log" | tr '\n' ' ')" ". p " "the second request was pipelined"
[ "$total" -ge 400 ] && [ "$total" -le "$(cat took)" ] || fail "pipelining: $total ms; the pauses are 400 ms, the client waited $(cat took) ms"
ok "pipelining"
