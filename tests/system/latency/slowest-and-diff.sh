#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --slowest names the packet that waited, and where; --diff names what grew between two recordings
# tags: long
# requires: tc socat

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
for port in 9001 9002; do
	background ip netns exec B socat -u "UDP-RECV:$port" /dev/null
	wait_for "a socket on port $port" udp_listening B "$port"
done
cat >"$OUT/send" <<-'END'
	for port in 9001 9001 9001 9002 9001 9001; do
		echo x | socat -u - "UDP-SENDTO:10.9.0.2:$port"
	done
	# Wait until the queued packets have left, too.
	while tc -s qdisc show dev va | grep -q "backlog [^ ]* [1-9]"; do :; done
END
# Resolve the neighbours and load the programs from disk before the recording.
ip netns exec A sh "$OUT/send"

# recorded NAME: record six datagrams in $OUT/NAME.dat
recorded() {
	trace-cmd record-skb --detail path -p 9001 -p 9002 -o "$OUT/$1.dat" -- ip netns exec A sh "$OUT/send" \
		>"$OUT/printed" 2>"$OUT/said" || fail "$1: $(cat "$OUT/said")"
	nothing_lost "$OUT/said"
}

recorded before
# Only packets to port 9002 wait in the queue.
ip netns exec A tc qdisc add dev va root handle 1: prio
ip netns exec A tc qdisc add dev va parent 1:3 handle 30: netem delay 300ms
ip netns exec A tc filter add dev va parent 1: protocol ip u32 match ip dport 9002 0xffff flowid 1:3
recorded after
waited=$(ip netns exec A tc -s qdisc show dev va | awk '/netem/ { on = 1 } on && /Sent/ { print $4; exit }')
is "$waited" 1 "packets that netem delayed"

# in_ms COLUMN: read a line from standard input. COLUMN has a time, and the next column has its unit. Print
# the time in milliseconds.
in_ms() {
	awk -v c="$1" '{ of["ns"] = 1e-6; of["us"] = 1e-3; of["ms"] = 1; of["s"] = 1e3; print $c * of[$(c + 1)] }'
}

trace-cmd report-skb "$OUT/after.dat" --slowest 2 >"$OUT/slowest" 2>"$OUT/said"
cat "$OUT/slowest"
line=$(sed -n 2p "$OUT/slowest")
has "$line" '^ +[0-9]+ .* udp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:9002 .* it was in the queue of va \(qdisc\)' "the slowest packet"
line=$(sed 's/.*:9002 *//' <<<"$line")
awk -v took="$(in_ms 1 <<<"$line")" -v wait="$(in_ms 3 <<<"$line")" \
	'BEGIN { exit took < wait || wait < 300 || wait > 450 }' || fail "not 300 ms: $line"
ok "as long as netem delays"
has "$(tail -n 1 "$OUT/slowest")" '^median of 6 packets: ' "the median"
sed 's/^median of 6 packets: //;t;d' "$OUT/slowest" | in_ms 1 | awk '{ exit $1 > 300 }' || fail "the median is as slow"
ok "the median is not"

# grown FROM TO: compare two recordings. Print by how many milliseconds the average time of a packet in a
# device's queue is longer in TO than in FROM.
grown() {
	trace-cmd report-skb "$OUT/$1.dat" --diff "$OUT/$2.dat" 2>"$OUT/said" >"$OUT/diff"
	sed -nE "s/.* ([-+]) +([0-9.]+ [mun]?s)  \(in a device's queue\)$/\1 \2/p" "$OUT/diff"
}

there=$(grown before after)
cat "$OUT/diff"
back=$(grown after before)
is "${there%% *}" + "a device's queue takes longer"
is "${back%% *}" - "less when compared in the other direction"
is "${there#* }" "${back#* }" "as much"
# Only one of the six packets waited.
in_ms 2 <<<"$there" | awk '{ exit $1 < 50 || $1 > 75 }' || fail "not 300 ms of one packet in six: $there"
ok "a sixth of what netem delays"
