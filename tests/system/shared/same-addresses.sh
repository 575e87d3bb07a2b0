#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: two recordings of the same addresses and ports run at the same time in two pairs of namespaces, and each has only its own packets
# kernels: 6.12 6.12-rt 7.2 newest

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
#          C (10.9.0.1) vc --- vd (10.9.0.2) D, with the same addresses

. "$(dirname "$0")/../lib/lib.sh"
. "$here/pairs.sh"

# record NAMESPACE NAME: start a recording in NAMESPACE. The recorded command waits until both recordings
# are ready, and then sends packets.
record() {
	ip netns exec "$1" trace-cmd record-skb --shared -o "$OUT/$2.dat" -- \
		bash -c ">$OUT/$2.ready; until [ -e $OUT/go ]; do sleep 0.1; done; $often" "$tasks" 2>"$OUT/$2.said" &
	at_exit stop $!
}
record A first
first=$!
record C second
second=$!
for name in first second; do
	wait_for "the $name" test -e "$OUT/$name.ready"
done
touch "$OUT/go"
wait $first || fail "the first: $(cat "$OUT/first.said")"
wait $second || fail "the second: $(cat "$OUT/second.said")"
for name in first second; do
	nothing_lost "$OUT/$name.said"
	trace-cmd report -R -i "$OUT/$name.dat" >"$OUT/$name"
done
is "$(numbers first pkt "$c" "$d")" "" "the first: no packet of C and D"
is "$(numbers second pkt "$a" "$b")" "" "the second: no packet of A and B"
[ "$(numbers first pkt "$a" | wc -l)" -ge 30 ] || fail "few packets in A"
[ "$(numbers second pkt "$c" | wc -l)" -ge 30 ] || fail "few packets in C"
is "$(numbers first pkt "$b")" "$(numbers first pkt "$a")" "the first: each packet in both of its namespaces"
is "$(numbers second pkt "$d")" "$(numbers second pkt "$c")" "the second: each packet in both of its namespaces"
