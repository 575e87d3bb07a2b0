#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a packet keeps its number through a router with DNAT and masquerade, and has the addresses and ports of each place
# requires: nft tcpdump
# timeout: 240

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"

three_namespaces
traffic=$(program traffic)
echo_server B 8080
count=20

# Packets to these addresses are not received.
for ns in A R; do
	[ $ns = A ] && net=66 || net=77
	ip -n $ns -batch - <<-END
		link add away type dummy
		address add 10.$net.0.1/24 dev away
		link set away up
	END
done

# Two ports lead to the same server, which cannot distinguish their packets.
ip netns exec R nft -f - <<END
table ip nat {
	chain to {
		type nat hook prerouting priority -100;
		ip daddr 10.9.0.254 meta l4proto { tcp, udp } th dport { 9000, 9001 } dnat to 10.8.0.2:8080
	}
	chain from {
		type nat hook postrouting priority 100;
		oifname rb masquerade
	}
}
table inet witness {
	counter there { }
	counter back { }
	chain way {
		type filter hook forward priority 0;
		oifname rb meta l4proto { tcp, udp } ct original proto-dst 9000 ct direction original counter name there
		meta l4proto { tcp, udp } ct original proto-dst 9000 ct direction reply counter name back
	}
}
END
forwarded() {
	packets_of R inet witness "$1"
}

# A's port soon belongs to another connection.
ip netns exec R sysctl -q net.netfilter.nf_conntrack_tcp_timeout_time_wait=1

# exchange COMMAND…: make connections and send datagrams to port 9000 as the command of COMMAND, and print how
# they arrived.
exchange() {
	delivered B 8080 in_a "$@" bash -c '
		"$0" number 10.9.0.254 9000 '$count' && "$0" number 10.66.0.2 9000 0 && "$0" number 10.77.0.2 9000 0 &&
		"$0" talk 10.9.0.254 5 9000 9001 && over 8080' "$traffic"
}

wanted="received $count, late 0, twice 0"
is "$(exchange env)" "$wanted" "without recording"
ip netns exec R nft reset counters >/dev/null
tap A va
tap B vb
is "$(exchange trace-cmd record-skb "${few[@]}" -l 'nf_*' -l '*udp*' -b 16384 -o "$OUT/trace.dat" -p 9000 --)" \
	"$wanted" "recorded"
taps_end
nothing_lost "$OUT/said"
balanced "$OUT/trace.dat"
read_trace "$OUT/trace.dat"

there=$(forwarded there)
back=$(forwarded back)
[ "$there" -ge $((count + 5 + 20)) ] || fail "only $there packets went there"

as_tapped ip_rcv A va 'src port 9000'
is "$tapped" "$back" "as many as nftables forwarded back"
# Masquerade keeps the port if it can.
ports=$(tcpdump -r "$OUT/A.va.pcap" -nn -t 'tcp dst port 9000' 2>/dev/null |
	sed 's/.* 10.9.0.1.\([0-9]*\) >.*/\1/' | sort -u)
is "$(wc -l <<<"$ports")" 5 "connections"
mine=$(tr '\n' ' ' <<<"$ports" | sed 's/ $//; s/ / or src port /g')
as_tapped ip_rcv B vb "udp dst port 8080 or ( tcp dst port 8080 and ( src port $mine ) )"
is "$tapped" "$there" "as many as nftables forwarded there"

# A packet has the same number everywhere, and at each place the addresses and ports that it has there.
numbers=$(numbers_at ip_output 'tx (tcp|udp) 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.254:9000 .* dev=va')
is "$(wc -l <<<"$numbers")" "$there" "packets that leave A"
same() {
	is "$(numbers_at "$1" "$2")" "$numbers" "the same numbers at $1 ($3)"
}
same ip_rcv 'rx (tcp|udp) 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.254:9000 .* dev=ra ' "as A sent them"
same ip_forward 'rx (tcp|udp) 10\.9\.0\.1:[0-9]+ > 10\.8\.0\.2:8080 .* dev=ra ' "after DNAT"
same ip_output 'tx (tcp|udp) 10\.9\.0\.1:[0-9]+ > 10\.8\.0\.2:8080 .* dev=ra '  "still"
same veth_xmit 'tx (tcp|udp) 10\.8\.0\.254:[0-9]+ > 10\.8\.0\.2:8080 .* dev=rb ' "after masquerade"
same 'tcp_v4_rcv|udp_rcv' 'rx (tcp|udp) 10\.8\.0\.254:[0-9]+ > 10\.8\.0\.2:8080 .* dev=vb ' "in B"
in_b="dev=vb netns=$(stat -Lc %i /run/netns/B) "
is "$(grep -cE " packet: .* (tcp_v4_rcv|udp_rcv) .*$in_b" "$OUT/report")" "$there" \
	"in B's namespace"

# The answers come from port 9000 again after the router's NAT.
is "$(numbers_at veth_xmit 'tx (tcp|udp) 10\.9\.0\.254:9000 > 10\.9\.0\.1:[0-9]+ .* dev=ra ' | wc -l)" "$back" \
	"answers at A's side"

# In B, the unrelated connections have the same address and port as the recorded ones.
others=$(tcpdump -r "$OUT/A.va.pcap" -nn -t 'dst port 9001' 2>/dev/null |
	sed 's/.* 10.9.0.1.\([0-9]*\) >.*/\1/' | sort -u)
is "$(wc -l <<<"$others")" 5 "other connections"
has_not "$(cat "$OUT/report")" ":($(tr '\n' '|' <<<"$others")9001)\b" "packets of these connections in the trace"
has "$(cat "$OUT/report")" "$(line_of udp_rcv '#1 udp 10.8.0.254:* > 10.8.0.2:8080')" \
	"the graph's line in B"
has "$(cat "$OUT/report")" "$(line_of ip_output '#1 udp 10.9.0.1:* > 10.9.0.254:9000')" \
	"and in A"

# report-skb shows each packet's path and verdict.
trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
declare -A inodes
for ns in A R B; do
	inodes[$ns]=$(stat -Lc %i /run/netns/$ns)
done
# became VERDICT WHERE TIMES PROTOCOL ENDS DEVICE@NAMESPACE…: check that TIMES packets with these addresses and
# ports took this path and ended there, in the table and in JSON.
became() {
	local what=$1 where=$2 proto=$4 ends=$5 words way='' hops='' before='' hop inode
	for hop in "${@:6}"; do
		inode=${inodes[${hop#*@}]}
		way+="${way:+ > }${hop%@*}"
		[ "${hop#*@}" = "$before" ] || way+="@${hop#*@}"
		before=${hop#*@}
		hops+="${hops:+,}{\"device\":\"${hop%@*}\",\"netns\":$inode,\"netns_name\":\"${hop#*@}\",\"netns_kind\":\"ip-netns\"}"
	done
	words="$what out of $where"
	[ "$what" != delivered ] || words="delivered to a socket \\($where\\)"
	is "$(grep -cE "^ *[0-9]+ .* $ends .* $way .* $words(; copies: .*)?\$" "$OUT/packets")" "$3" "$what: $way"
	is "$(grep -F "\"type\":\"packet\"" "$OUT/json" | grep -F "\"protocol\":$proto," | grep -F "\"path\":[$hops]" |
		grep -cE "\"verdict\":\{\"what\":\"$what\",.*\"$where\"")" "$3" "JSON: $what: $hops"
}
became delivered '[_a-z]*udp_[_a-z]*' $((count + 5)) 17 'udp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.254:9000' \
	va@A ra@R rb@R vb@B
became delivered 'tcp_[_a-z0-9]*' 5 6 'tcp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.254:9000 +P?\.' va@A ra@R rb@R vb@B
became delivered 'tcp_[_a-z0-9]*' 5 6 'tcp 10\.9\.0\.254:9000 > 10\.9\.0\.1:[0-9]+ +P?\.' ra@R va@A
became sent away 5 17 'udp 10\.66\.0\.1:[0-9]+ > 10\.66\.0\.2:9000' away@A
became forwarded away 5 17 'udp 10\.9\.0\.1:[0-9]+ > 10\.77\.0\.2:9000' va@A ra@R away@R
has "$(trace-cmd report-skb --packet 1 -i "$OUT/trace.dat" 2>&1)" "> +#1 udp .* at udp_rcv, receive on vb, " \
	"the whole way of the first"
