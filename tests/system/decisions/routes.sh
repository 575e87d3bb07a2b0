#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report names the policy rule and the routing table that gave a packet its route, and the VRF
# requires: jq
# timeout: 240

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B, and vb is in the VRF blue

. "$(dirname "$0")/../lib/lib.sh"

three_namespaces
traffic=$(program traffic)
count=10

ip -n R rule add pref 100 from 10.9.0.1 lookup 100
ip -n R route add 10.8.0.0/24 dev rb src 10.8.0.254 table 100
ip -n R -6 rule add pref 200 from fd09::1 lookup 200
ip -n R -6 route add fd08::/64 dev rb table 200
ip -n B link add blue type vrf table 10
ip -n B link set blue up
ip -n B link set vb master blue
ip -n B address replace fd08::2/64 dev vb nodad
ip -n B route replace default via 10.8.0.254 vrf blue
ip -n B -6 route replace default via fd08::fe vrf blue
in_b nft -f - <<-END
	table inet witness {
		counter came { }
		chain in {
			type filter hook prerouting priority 0;
			iifname blue udp dport 9000 counter name came
		}
	}
END
in_b sysctl -q net.ipv4.udp_l3mdev_accept=1

# The witness is "ip route get", which asks the kernel for the table of a route.
has "$(ip -n R route get 10.8.0.2 from 10.9.0.1 iif ra)" 'table 100' "the kernel's own lookup"
has "$(ip -n R -6 route get fd08::2 from fd09::1 iif ra)" 'table 200' "the kernel's own lookup of IPv6"
has "$(ip -n B route get 10.9.0.1 vrf blue)" 'table 10 ' "the kernel's own lookup in the VRF"

# decided FILE FILTER: print how many packets of the flow to port 9000 have a decision that FILTER selects
decided() {
	jq -s "[.[] | select(.type == \"packet\" and .destination.port == 9000) | select(any(.decisions[]?; $2))] | length" "$1"
}

for detail in path net; do
	in_b "$traffic" collect 9000 >"$OUT/received" &
	at_exit stop $!
	wait_for "a receiver" udp_listening B 9000
	before=$(packets_of B inet witness came)
	trace-cmd record-skb --detail $detail -o "$OUT/trace.dat" -p 9000 -- \
		ip netns exec A "$traffic" number 10.8.0.2 9000 $count 2>"$OUT/said" || fail "the recording: $(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
	"$(program check-json)" "$top/report/report-skb.schema.json" <"$OUT/json" || fail "the JSON schema"
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/list"
	head -n 4 "$OUT/list"
	trace-cmd report-skb --packet 1 -i "$OUT/trace.dat" >"$OUT/graph"
	cat "$OUT/graph"
	packets=$(jq -s '[.[] | select(.type == "packet" and .destination.port == 9000)] | length' "$OUT/json")
	is "$(decided "$OUT/json" '.kind == "rule" and .priority == 100 and .table == 100')" "$packets" "$detail: the policy rule"
	is "$(decided "$OUT/json" '.kind == "route" and .table == 100 and .device == "rb" and .error == 0')" "$packets" "$detail: the table"
	is "$(decided "$OUT/json" '.kind == "vrf" and .device == "blue"')" "$(($(packets_of B inet witness came) - before))" "$detail: the VRF"
	has "$(cat "$OUT/graph")" '#1 policy rule 100: table 100$' "$detail: the rule in the graph"
	has "$(cat "$OUT/graph")" '#1 route to 10\.8\.0\.2: table 100: on rb$' "$detail: the route in the graph"
done
