# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# switch.sh - a namespace R between A and B, which becomes a switch, and recordings of datagrams from A to B
#
# shellcheck disable=SC2154 # lib.sh sets the variables.

# Network: A (10.9.0.1) va --- ra R rb --- vb (10.9.0.2) B

traffic=$(program traffic)
for ns in A R B; do
	ip netns add $ns
	at_exit ip netns del $ns
	ip netns exec $ns sysctl -q net.ipv6.conf.default.disable_ipv6=1
done
ip link add va netns A type veth peer name ra netns R
ip link add vb netns B type veth peer name rb netns R
for end in A:va:1 B:vb:2 R:ra: R:rb:; do
	IFS=: read -r ns dev number <<<"$end"
	[ -z "$number" ] || ip -n "$ns" address add "10.9.0.$number/24" dev "$dev"
	ip -n "$ns" link set "$dev" up
done
neighbours_known

# of FILTER: print the number of packets with at least one decision that the jq filter FILTER selects
of() { jq -s "[.[] | select(.type == \"packet\") | select(any(.decisions[]?; $1))] | length" "$OUT/json"; }
# record DETAIL: record datagrams from A to B
record() {
	in_b "$traffic" collect 9000 >"$OUT/received" &
	at_exit stop $!
	wait_for "a receiver" udp_listening B 9000
	trace-cmd record-skb --detail "$1" -o "$OUT/trace.dat" -p 9000 -- \
		ip netns exec A "$traffic" number 10.9.0.2 9000 10 2>"$OUT/said" || fail "the recording: $(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
	"$(program check-json)" "$top/report/report-skb.schema.json" <"$OUT/json" || fail "the JSON schema"
	trace-cmd report-skb --packet 1 -i "$OUT/trace.dat" >"$OUT/graph"
	grep '>  #1 [^u]' "$OUT/graph"
}
