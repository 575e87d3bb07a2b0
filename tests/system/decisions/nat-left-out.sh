#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: packets show the state of their connection, and whether NAT was applied or left out for a single packet
# requires: nft jq conntrack perl
# tags: slow
# timeout: 240

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"

three_namespaces
traffic=$(program traffic)

# The rules exclude datagrams of eight bytes from connection tracking. Therefore NAT leaves them unchanged.
ip netns exec R nft -f - <<END
table ip nat {
	chain from {
		type nat hook postrouting priority 100;
		oifname rb masquerade
	}
}
table ip raw {
	counter untracked { }
	chain first {
		type filter hook prerouting priority -300;
		iifname ra udp length 16 counter name untracked notrack
	}
}
table inet witness {
	counter hidden { }
	counter bare { }
	counter fresh { }
	counter loose { }
	chain last {
		type filter hook postrouting priority 300;
		oifname rb ip saddr 10.8.0.254 udp dport 9000 counter name hidden
		oifname rb ip saddr 10.9.0.1 udp dport 9000 counter name bare
		oifname rb udp dport 9000 ct state new counter name fresh
		oifname rb udp dport 9000 ct state untracked counter name loose
	}
}
END
trace_dat=$OUT/trace.dat
# Start a receiver, because otherwise ICMP errors for a closed port would stop the sending program.
background in_b "$traffic" refuse 9000
wait_for "a receiver" udp_listening B 9000
for detail in path net; do
	hidden=$(packets_of R inet witness hidden)
	bare=$(packets_of R inet witness bare)
	fresh=$(packets_of R inet witness fresh)
	loose=$(packets_of R inet witness loose)
	# The program sends four datagrams of four bytes, and eight datagrams of eight bytes. It stays on one CPU: on
	# another CPU, a datagram without NAT could overtake the first one with NAT, and the report would not mark it.
	trace-cmd record-skb --detail $detail -o "$trace_dat" 'udp and dst port 9000' -- taskset 1 ip netns exec A perl -MIO::Socket::INET -e '
		my $s = IO::Socket::INET->new(Proto => "udp", LocalPort => 5000 + $ARGV[0], PeerAddr => "10.8.0.2:9000") or die;
		for (1 .. 4) { send($s, "four", 0); send($s, "eightbyt", 0); send($s, "eightbyt", 0) }' ${#detail} \
		2>"$OUT/said" || fail "the recording: $(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	hidden=$(($(packets_of R inet witness hidden) - hidden))
	bare=$(($(packets_of R inet witness bare) - bare))
	fresh=$(($(packets_of R inet witness fresh) - fresh))
	loose=$(($(packets_of R inet witness loose) - loose))
	is "$hidden $bare $fresh $loose" "4 8 4 8" "$detail: what nftables has counted"
	has "$(ip netns exec R conntrack -L 2>/dev/null)" "sport=500${#detail} .*dst=10.8.0.254 sport=9000" "conntrack translates the flow"
	trace-cmd report-skb --json -i "$trace_dat" >"$OUT/json"
	"$(program check-json)" "$top/report/report-skb.schema.json" <"$OUT/json" || fail "the JSON schema"
	trace-cmd report-skb --packet 2 -i "$trace_dat"
	of() { jq -s "[.[] | select(.type == \"packet\") | select(any(.decisions[]?; $1))] | length" "$OUT/json"; }
	is "$(of '.kind == "nat" and .applied and .conntrack and (.now | test("10.8.0.254:[0-9]+ > 10.8.0.2:9000"))')" "$hidden" "$detail: NAT was applied"
	is "$(of '.kind == "nat" and (.applied | not)')" "$bare" "$detail: NAT was left out"
	is "$(of '.kind == "conntrack" and .state == "new" and .snat')" "$fresh" "$detail: packets of a new connection"
	is "$(of '.kind == "conntrack" and .state == "untracked"')" "$loose" "$detail: packets that are not tracked"
	has "$(trace-cmd report-skb --packet 2 -i "$trace_dat")" \
		'#2 NOT translated in [a-z_]+, but others of the flow: udp 10\.9\.0\.1:[0-9]+ > 10\.8\.0\.2:9000 to udp 10\.8\.0\.254:[0-9]+ > 10\.8\.0\.2:9000$' \
		"$detail: the graph of a packet without NAT"
done
