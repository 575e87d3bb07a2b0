#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the table and the JSON show a path over twelve devices in seven namespaces completely and in order
# tags: long

. "$(dirname "$0")/../lib/lib.sh"

#    ┌── A ──┐     ┌── R1 ─┐            ┌── R5 ─┐     ┌── B ──┐
#    │      d1 ─── d2     d3 ─── … ─── d10    d11 ─── d12     │
#    └───────┘     └───────┘            └───────┘     └───────┘
# Link n is 10.20.n.0/24: address n at its left end and n+1 at its right end.
chain=(A R1 R2 R3 R4 R5 B)
links=$((${#chain[@]} - 1))
for ns in "${chain[@]}"; do
	ip netns add "$ns"
	at_exit ip netns del "$ns"
	ip netns exec "$ns" sysctl -q net.ipv4.ip_forward=1
done
for ((n = 1; n <= links; n++)); do
	left=${chain[n - 1]} right=${chain[n]} d=d$((2 * n - 1)) e=d$((2 * n))
	ip link add $d netns "$left" type veth peer name $e netns "$right"
	ip -n "$left" address add 10.20.$n.1/24 dev $d
	ip -n "$right" address add 10.20.$n.2/24 dev $e
	ip -n "$left" link set $d up
	ip -n "$right" link set $e up
done
for ((n = 0; n <= links; n++)); do
	[ $n = $links ] || ip -n "${chain[n]}" route add 10.20.$links.0/24 via 10.20.$((n + 1)).2 2>/dev/null || :
	[ $n = 0 ] || ip -n "${chain[n]}" route add 10.20.1.0/24 via 10.20.$n.1 2>/dev/null || :
done
wait_for "the way from A to B" in_a ping -c 1 -W 1 10.20.$links.2

traffic=$(program traffic)
ip netns exec B "$traffic" hoard 9000 1000000 &
at_exit stop $!
wait_for "a socket" udp_listening B 9000
# forwarded: print how many packets each router has forwarded, as its kernel counts
forwarded() {
	local ns
	for ns in R1 R2 R3 R4 R5; do
		ip netns exec $ns nstat -asz IpForwDatagrams | awk '$1 == "IpForwDatagrams" { print $2 }'
	done
}
before=$(forwarded)
trace-cmd record-skb --detail path -o "$OUT/trace.dat" udp dst port 9000 -- \
	ip netns exec A "$traffic" crowd 10.20.$links.2 9000 1 2>"$OUT/said" || fail "$(cat "$OUT/said")"
nothing_lost "$OUT/said"
is "$(paste <(forwarded) <(echo "$before") | awk '{ printf "%d ", $1 - $2 }')" "1 1 1 1 1 " "forwarded packets of each router"
trace-cmd report-skb --json "$OUT/trace.dat" >"$OUT/json" 2>"$OUT/report"
has "$(cat "$OUT/report")" '^complete' "the recording is complete"
is "$(grep -o '"device":"d[0-9]*"' "$OUT/json" | head -n 12 | tr -dc 'd0-9\n' | sed 's/^d*//' | tr '\n' ' ')" \
	"1 2 3 4 5 6 7 8 9 10 11 12 " "JSON: twelve devices, in order"
trace-cmd report-skb --list "$OUT/trace.dat" >"$OUT/lines" 2>"$OUT/report"
is "$(sed -n 2p "$OUT/lines" | grep -oE '\bd[0-9]+(@[0-9]+)?( >)?' | sed 's/@.*//; s/ >//' | tr '\n' ' ')" \
	"d1 d2 d3 d4 d5 d6 d7 d8 d9 d10 d11 d12 " "the table, too"
is "$(sed -n 2p "$OUT/lines" | grep -oE '@[A-Z0-9]+' | uniq | tr '\n' ' ')" "@A @R1 @R2 @R3 @R4 @R5 @B " "with seven namespaces"
