#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report names the service and the real server of IPVS, and the packets that a flowtable forwarded
# requires: nft jq ipvsadm
# tags: slow
# timeout: 240

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"

three_namespaces
traffic=$(program traffic)
ip -n B address add 10.8.0.3/24 dev vb
echo_server B 8080 9000
modprobe ip_vs
ip netns exec R ipvsadm -A -t 10.9.0.254:80 -s rr
for server in 10.8.0.2 10.8.0.3; do
	ip netns exec R ipvsadm -a -t 10.9.0.254:80 -r $server:8080 -m
done
# in_packets SERVER: print how many packets IPVS has sent to the real server SERVER
in_packets() {
	ip netns exec R ipvsadm -Ln --stats --exact | awk -v server="$1:8080" '$2 == server { print $4 }'
}
# of FILTER: print the number of packets with at least one decision that the jq filter FILTER selects
of() { jq -s "[.[] | select(.type == \"packet\") | select(any(.decisions[]?; $1))] | length" "$OUT/json"; }
# record DETAIL PORT: record connections of A to PORT with --detail DETAIL
record() {
	trace-cmd record-skb --detail "$1" -o "$OUT/trace.dat" "tcp and port $2" -- \
		ip netns exec A "$traffic" talk "${@:3}" 2>"$OUT/said" || fail "the recording: $(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
	"$(program check-json)" "$top/report/report-skb.schema.json" <"$OUT/json" || fail "the JSON schema"
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
}

for detail in path net; do
	declare -A before=([2]=$(in_packets 10.8.0.2) [3]=$(in_packets 10.8.0.3))
	record $detail 80 10.9.0.254 4 80
	# Linux 6.1 adds up the per-CPU counters of IPVS only every two seconds (estimation_timer).
	pause 3
	for server in 2 3; do
		is "$(of '.kind == "ipvs" and .service == "10.9.0.254:80" and .method == "masquerade" and .server == "10.8.0.'$server':8080"')" \
			$(($(in_packets 10.8.0.$server) - before[$server])) "$detail: packets to the real server 10.8.0.$server, as ipvsadm counts them"
	done
	has "$(cat "$OUT/packets")" 'ra.* \(IPVS 10\.8\.0\.2:8080\)' "$detail: the real server in the path"
done

# The first packets of the connection pass the counter in the forward chain. The flowtable forwards the later
# ones, which never reach the chain.
ip netns exec R nft -f - <<END
table ip fast {
	counter slow { }
	flowtable f {
		hook ingress priority 0; devices = { ra, rb };
	}
	chain forward {
		type filter hook forward priority 0;
		tcp dport 9000 counter name slow
		tcp sport 9000 counter name slow
		ip protocol tcp flow add @f
	}
}
END
for detail in path net; do
	slow=$(packets_of R ip fast slow)
	record $detail 9000 10.8.0.2 5 9000
	all=$(jq -s '[.[] | select(.type == "packet" and any(.path[]; .device == "ra" or .device == "rb"))] | length' "$OUT/json")
	fast=$(of '.kind == "flowtable"')
	echo "$all packets, $fast took the fast path"
	is "$((all - fast))" "$(($(packets_of R ip fast slow) - slow))" "$detail: packets outside the fast path"
	[ "$fast" -gt 0 ] || fail "no packet took the fast path"
	has "$(cat "$OUT/packets")" 'r[ab].* \(flowtable\)' "$detail: the fast path in the path"
done
