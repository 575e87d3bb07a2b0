#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --requests agrees with $request_time in nginx's log and with curl's times, also with keep-alive and pipelining
# requires: jq nginx curl socat
# timeout: 200

# Network: A (10.9.0.1, curl) va --- vb (10.9.0.2, nginx at port 9000) B; nginx asks a slow program at port 9100

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/bytes.sh"

two_namespaces
ip -n B link set lo up

cat >"$OUT/slow" <<'END'
read -r method path rest
while read -r line && [ "$line" != $'\r' ]; do :; done
sleep "0.${path#/}"
printf 'HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nok\n'
END
ip netns exec B socat TCP-LISTEN:9100,fork,reuseaddr SYSTEM:"bash $OUT/slow" &
at_exit stop $!

cat >"$OUT/nginx.conf" <<END
daemon off;
master_process off;
user root;
pid $OUT/nginx.pid;
error_log $OUT/error.log;
events {}
http {
	log_format times '\$request_time \$connection_requests \$pipe';
	access_log $OUT/access.log times;
	server {
		listen 9000;
		location / {
			proxy_pass http://10.9.0.2:9100;
		}
	}
}
END
ip netns exec B nginx -c "$OUT/nginx.conf" &
server=$!
at_exit stop "$server"
wait_for "nginx" listening B 9000
wait_for "the slow program" listening B 9100

# Keep-alive: curl uses one connection for its 12 requests.
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

# Each line: total time, time in the application, its PID, nginx's time, curl's time, and the pause of the slow program.
jq -r 'select(.type == "request") | "\(.total_ns / 1e6 | floor) \(.parts.application_ns / 1e6 | floor) \(.server.pid)"' "$OUT/json" |
	paste -d ' ' - <(awk '{ print $1 * 1000 }' "$OUT/access.log") <(awk '{ print $1 * 1000 }' "$OUT/curl") \
		<(printf '%s\n' "${urls[@]##*/}") >"$OUT/both"
is "$(wc -l <"$OUT/both")" 12 "number of requests"
is "$(awk -v pid="$server" 'NF != 6 || $3 != pid || $2 < $6 || $1 < $2 || $1 > $5' "$OUT/both")" "" "the pause, the application, the total and curl's time"
# nginx reads its clock when it waits for events, so single times differ if it waits for a CPU.
is "$(awk '{ print $2 < $4 ? $4 - $2 : $2 - $4 }' "$OUT/both" | sort -n | awk 'NR == 6 && $1 > 30')" "" "half of the times agree with nginx to 30 ms"
has "$(trace-cmd report-skb -i "$OUT/keep.dat" --requests --slowest 1 2>/dev/null)" '^slowest: [3-9][0-9]{2} ms .*, of which application: [3-9][0-9]{2} ms \(nginx-' \
	"the slowest request"

# Pipelining: two requests in one write are one request for us, with the time of both.
: >"$OUT/access.log"
cat >"$OUT/pipeline" <<'END'
exec 3<>/dev/tcp/10.9.0.2/9000
start=$(date +%s%N)
cat two >&3
cat <&3 >/dev/null
echo $((($(date +%s%N) - start) / 1000000)) >took
END
cd "$OUT"
# bash's printf writes each line by itself, and cat all of them at once.
printf 'GET /150 HTTP/1.1\r\nHost: x\r\n\r\nGET /250 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n' >two
trace-cmd record-skb --detail path -p 9000 -o "$OUT/pipe.dat" -- ip netns exec A bash "$OUT/pipeline" 2>/dev/null
trace-cmd report-skb -i "$OUT/pipe.dat" --requests --json >"$OUT/json" 2>/dev/null
total=$(jq -r 'select(.type == "request") | .total_ns / 1e6 | floor' "$OUT/json")
is "$(awk '{ print $3 }' "$OUT/access.log" | tr '\n' ' ')" ". p " "the second request was pipelined"
[ "$total" -ge 400 ] && [ "$total" -le "$(cat took)" ] || fail "pipelining: $total ms; the pauses are 400 ms, the client waited $(cat took) ms"
ok "pipelining"
