#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --requests shows a DNS query that was lost and repeated as one request
# requires: jq dnsmasq nft
# timeout: 200

# Network: A (10.9.0.1, getent) va --- vb (10.9.0.2, dnsmasq) B. Every second query reaches dnsmasq.

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/bytes.sh"

two_namespaces
mkdir -p /etc/netns/A
at_exit rm -r /etc/netns/A
printf 'nameserver 10.9.0.2\noptions timeout:1 attempts:3\n' >/etc/netns/A/resolv.conf
echo 'hosts: dns' >/etc/netns/A/nsswitch.conf
ip netns exec B dnsmasq -k -C /dev/null --no-resolv --no-hosts --user=root --pid-file --listen-address=10.9.0.2 --bind-interfaces \
	--log-queries --log-facility="$OUT/dnsmasq" --host-record=www.example,10.1.2.3 &
server=$!
at_exit stop "$server"
wait_for "dnsmasq" udp_listening B 53
in_b nft -f - <<'END'
table ip loss {
	chain in {
		type filter hook input priority 0;
		udp dport 53 numgen inc mod 2 0 counter drop
	}
}
END

trace-cmd record-skb --detail path -p 53 -o "$OUT/trace.dat" -- ip netns exec A bash -c '
	begun=${EPOCHREALTIME/./}
	getent ahostsv4 www.example
	echo $((${EPOCHREALTIME/./} - begun)) >'"$OUT/took" >"$OUT/answer" 2>/dev/null
has "$(cat "$OUT/answer")" '^10\.1\.2\.3 ' "the answer"
is "$(in_b nft list chain ip loss in | grep -o 'packets [0-9]*')" "packets 1" "queries that were dropped"

trace-cmd report-skb -i "$OUT/trace.dat" --requests --json >"$OUT/json" 2>/dev/null
matches_schema "$OUT/json" "requests"
is "$(jq -r 'select(.type == "request") | "\(.sent_again) \(.server.name) \(.server.pid)"' "$OUT/json")" "1 dnsmasq $server" "the request"
is "$(jq -r 'select(.type == "requests") | .unanswered' "$OUT/json")" 0 "requests without a response"
total=$(($(jq -r 'select(.type == "request") | .total_ns' "$OUT/json") / 1000))
[ "$total" -ge 1000000 ] && [ "$total" -le "$(cat "$OUT/took")" ] || fail "the request took $total us, getent $(cat "$OUT/took")"
ok "time of the request, with the timeout of the resolver"
has "$(trace-cmd report-skb -i "$OUT/trace.dat" --requests 2>/dev/null)" '^slowest: 1\.[0-9]* s .*of which sent again: .*; data of the request was sent again$' \
	"the slowest request"
