#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: with functions that free packets as probe points, a dropped packet is still one packet, and the place of its drop is the same
# requires: nft
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
in_b nft 'table inet no { counter dropped { }; chain in { type filter hook input priority 0; udp dport 9001 counter name dropped drop; }; }'
in_a tc qdisc add dev va root handle 1: prio
in_a tc qdisc add dev va parent 1:1 netem
in_a tc qdisc add dev va parent 1:3 netem loss 100%
in_a tc qdisc add dev va parent 1:2 netem
in_a tc filter add dev va parent 1: protocol ip u32 match ip dport 9002 0xffff flowid 1:3
in_a tc filter add dev va parent 1: protocol ip u32 match ip dport 9001 0xffff flowid 1:1
in_a ping -q -c 1 10.9.0.2 >/dev/null

# Use those functions that exist on this kernel and can be probe points.
points=()
for function in sk_skb_reason_drop kfree_skb_reason __kfree_skb __napi_kfree_skb skb_morph netem_enqueue; do
	! trace-cmd record-skb --list-points "$function" >"$OUT/listed" 2>&1 || points+=(-g "$function")
done
ok "with ${points[*]}"
[ "${#points[@]}" -gt 2 ] || fail "no function that frees packets can be a probe point"
for with in "" points; do
	options=()
	[ -z "$with" ] || options=("${points[@]}")
	was=$(packets_of B inet no dropped)
	lost=$(in_a tc -s qdisc show dev va parent 1:3 | sed -n 's/.*dropped \([0-9]*\),.*/\1/p')
	in_a trace-cmd record-skb --detail net -o "$OUT/trace.dat" "${options[@]}" -p 9001,9002 -- bash -c '
		for n in 1 2 3 4 5; do echo >/dev/udp/10.9.0.2/9001; echo >/dev/udp/10.9.0.2/9002; done' 2>"$OUT/said" || fail "$(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	is "$(($(packets_of B inet no dropped) - was)) by nft, $(($(in_a tc -s qdisc show dev va parent 1:3 |
		sed -n 's/.*dropped \([0-9]*\),.*/\1/p') - lost)) by netem" "5 by nft, 5 by netem" "dropped packets, by both counters"
	is "$(sed -n 's/ packets matched.*//p' "$OUT/said")" 10 "packets ${with:-alone}"
	trace-cmd report-skb --list -i "$OUT/trace.dat" 2>/dev/null | sed -n 's/.*[0-9]  *dropped in /dropped in /p' | sort | uniq -c >"$OUT/drops$with"
	cat "$OUT/drops$with"
	is "$(awk '{ n += $1 } END { print n }' "$OUT/drops$with")" 10 "packets reported as dropped"
done
diff "$OUT/drops" "$OUT/dropspoints" || fail "the places of the drops differ"
ok "the places of the drops are the same"
