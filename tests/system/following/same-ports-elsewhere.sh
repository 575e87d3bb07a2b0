#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: equal addresses and ports in another namespace are another flow; a packet keeps its flow when it crosses namespaces
# tags: slow
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
#          C (10.9.0.1) vc --- vd (10.9.0.2) D, with the same addresses

. "$(dirname "$0")/../lib/lib.sh"

. "$here/pairs.sh"

stranger() {
	while in_c "$tasks" abort 10.9.0.2 9000 7777; do
		echo >>"$OUT/stranger"
		sleep 0.1
	done
}
background stranger
wait_for "the stranger" test -s "$OUT/stranger"

# record NAME ARGS…: record in A, while another process uses the same addresses and ports in C
record() {
	local before name=$1
	shift
	before=$(wc -l <"$OUT/stranger")
	in_a trace-cmd record-skb "${few[@]}" -o "$OUT/$name.dat" "$@" 2>"$OUT/said" || fail "$name: $(cat "$OUT/said")"
	[ "$(wc -l <"$OUT/stranger")" -gt $((before + 2)) ] || fail "$name: the stranger did nothing"
	trace-cmd report -R -i "$OUT/$name.dat" >"$OUT/$name"
}
record followed -- bash -c "$often" "$tasks"
is "$(numbers followed pkt "$c" "$d")" "" "followed: no packet of the stranger"
[ "$(numbers followed pkt "$a" | wc -l)" -ge 30 ] || fail "few packets in A"
is "$(numbers followed pkt "$b")" "$(numbers followed pkt "$a")" "followed: each packet in both namespaces"
is "$(numbers followed flow "$a" "$b" | wc -l)" 1 "followed: one flow"
is "$(numbers followed pkt 0)" "" "followed: the namespace is known in a socket's queue, too"

# A filter compares only addresses and ports, so it also matches packets of the other process. They must have
# another flow number.
record filtered -p 9000 -- bash -c "$often" "$tasks"
[ "$(numbers filtered pkt "$c" | wc -l)" -ge 10 ] || fail "few packets in C"
is "$(numbers filtered netns "$a" "$b" "$c" "$d" 0 | wc -l)" 4 "filtered: the namespace of each row is known"
is "$(numbers filtered flow "$a" "$b" | wc -l)" 1 "filtered: one flow from A to B and back"
is "$(numbers filtered flow "$c" "$d" | wc -l)" 1 "filtered: one from C to D and back"
is "$(comm -12 <(numbers filtered flow "$a" "$b") <(numbers filtered flow "$c" "$d"))" "" "filtered: which is another"
