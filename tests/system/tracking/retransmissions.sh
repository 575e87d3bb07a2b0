#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: exactly the retransmitted TCP segments are marked, as many as the sender's kernel has counted
# tags: long
# requires: tc socat nstat

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
# The kernel counts retransmitted segments, and the report counts skbs. So let each skb have only one
# segment.
ip -n A link set va gso_max_segs 1
background in_b socat -u TCP-LISTEN:9400,fork,reuseaddr OPEN:/dev/null
wait_for "the listener" listening B 9400

again_counted() {
	in_a nstat -asz TcpRetransSegs | awk '$1 == "TcpRetransSegs" { print $2 }'
}

# send NAME: record a TCP stream of 80,000 bytes, about 60 segments, in $OUT/NAME.dat, with reports in
# NAME.json and NAME.lines. Set $counted to the number of segments that the kernel retransmitted.
send() {
	local before
	before=$(again_counted)
	trace-cmd record-skb --detail path -b 16384 -o "$OUT/$1.dat" 'tcp port 9400' -- \
		ip netns exec A bash -c 'head -c 80000 /dev/zero | socat -t 100 - TCP:10.9.0.2:9400' >"$OUT/out" 2>"$OUT/said" ||
		fail "$(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	counted=$(($(again_counted) - before))
	trace-cmd report-skb --json -i "$OUT/$1.dat" >"$OUT/$1.json"
	trace-cmd report-skb --list -i "$OUT/$1.dat" >"$OUT/$1.lines"
}

# marked NAME: print how many packets of A the JSON marks as sent again
marked() {
	grep -c '"type":"packet".*"source":{"address":"10.9.0.1".*"tcp_again":true' "$OUT/$1.json" || :
}

send clean
# The count may be more than zero, because on a busy machine an acknowledgement may come too late.
is "$(marked clean)" "$counted" "nothing is lost: $counted were sent again, and are marked"

ip netns exec A tc qdisc add dev va root netem loss 25% limit 10000
send lossy
[ "$counted" -gt 0 ] || fail "nothing was lost"
is "$(marked lossy)" "$counted" "$counted were sent again, and are marked"
is "$(grep -Ec ' tcp 10.9.0.1:[0-9]+ > 10.9.0.2:9400 +[A-Z.]+r ' "$OUT/lossy.lines")" "$counted" "in the table, too"

# If a packet is marked as a retransmission, an earlier packet must have the same sequence number.
awk '
	function number(name) {
		return match($0, "\"" name "\":[0-9]+") ? substr($0, RSTART + length(name) + 3) + 0 : -1
	}
	!/"type":"packet"/ || !/"source":\{"address":"10.9.0.1"/ { next }
	/"tcp_again":true/ && !(number("tcp_seq") in first) { print "never sent before: " $0 }
	{ first[number("tcp_seq")] = 1 }' "$OUT/lossy.json" >"$OUT/wrong"
[ ! -s "$OUT/wrong" ] || fail "$(cat "$OUT/wrong")"
ok "each segment was sent before"
