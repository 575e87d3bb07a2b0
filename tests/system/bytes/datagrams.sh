#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --bytes and --requests agree with the programs' logs for UDP requests, with repetitions
# requires: jq
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/bytes.sh"

datagrams=$(program datagrams)
two_namespaces

# asked DIR N: print when the client sent request N, in us, from the client's log
# tried DIR N: print how often the client sent request N
asked() { awk -v n="$2" '$1 == n { print int($2 / 1000) }' "$1/client"; }
tried() { awk -v n="$2" '$1 == n { print $3 }' "$1/client"; }
# field N FILTER: print what the jq filter FILTER selects from request N in the report
field() { jq -r 'select(.type == "request")' "$dir/requests" | jq -sr ".[$1 - 1] | $2"; }

# check_request N: compare request N in the report with the logs of client and server
check_request() {
	local asked total application
	asked=$(asked "$dir" "$1")
	total=$(($(field "$1" .total_ns) / 1000))
	application=$(($(field "$1" .parts.application_ns) / 1000))
	# The client's log has the times of both of its calls. The server sleeps for 30 ms before it answers.
	[ "$total" -le "$asked" ] || fail "request $1: $total us, the log has $asked"
	[ "$application" -ge 30000 ] && [ "$application" -le "$total" ] ||
		fail "request $1: the application took $application us of $total us"
	is "$(field "$1" '.sent_again // 0')" $(($(tried "$dir" "$1") - 1)) "request $1: how often it was sent again"
}

# family NAME ADDRESS: record requests to ADDRESS, and compare the report with the logs
family() {
	local n sent
	dir=$OUT/$1
	mkdir -p "$dir"
	ip netns exec B "$datagrams" answer 9000 30 >"$dir/server" &
	server=$!
	wait_for "the server" udp_listening B 9000
	trace-cmd record-skb --detail path -p 9000 -o "$dir/trace.dat" -- \
		ip netns exec A "$datagrams" ask "$2" 9000 6 500 >"$dir/client" 2>/dev/null
	trace-cmd report-skb -i "$dir/trace.dat" --requests --json >"$dir/requests" 2>/dev/null
	trace-cmd report-skb -i "$dir/trace.dat" --bytes --json >"$dir/bytes" 2>/dev/null
	matches_schema "$dir/requests" "requests"
	matches_schema "$dir/bytes" "bytes"
	is "$(field 1 .server.pid)" "$server" "$1: task of the server"
	is "$(jq -r 'select(.type == "request") | "\(.request_bytes) \(.response_bytes)"' "$dir/requests" | tr '\n' ' ')" \
		"7 29 7 29 14 29 7 29 7 29 14 29 " "$1: bytes of the requests and responses"
	for n in 1 2 3 4 5 6; do
		check_request "$n"
	done
	sent=$(awk '{ n += $3 } END { print n }' "$dir/client")
	is "$(jq -r 'select(.type == "bytes" and .read.pid == '"$server"' and .write.pid != null) | .from' "$dir/bytes" | wc -l)" "$sent" \
		"$1: datagrams that the server has read"
	is "$(jq -r 'select(.type == "bytes" and .write.pid == '"$server"' and .read.pid != null) | .from' "$dir/bytes" | wc -l)" 6 \
		"$1: datagrams that the client has read"
	stop "$server"
}

family ipv4 10.9.0.2
family ipv6 fd09::2

# No program reads at the other end. Therefore report-skb must list the datagrams as unread, and the requests
# without a response.
ip netns exec B socat -u UDP-RECV:9001 OPEN:/dev/null &
at_exit stop $!
sleeper=$!
wait_for "the sleeper" udp_listening B 9001
kill -STOP "$sleeper"
at_exit kill -CONT "$sleeper"
trace-cmd record-skb --detail path -o "$OUT/unread.dat" -- ip netns exec A bash -c 'printf hello >/dev/udp/10.9.0.2/9001' 2>/dev/null
is "$(trace-cmd report-skb -i "$OUT/unread.dat" --bytes --json 2>/dev/null | jq -r 'select(.type == "bytes") | "\(.to) \(.unread) \(.read)"')" \
	"5 true null" "a datagram that is not read"
