#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb shows the path and the verdict of packets through a router with DNAT and masquerade, in the table and in JSON
# requires: nft
# timeout: 240

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/nat-router.sh"

# Add routes to addresses that no host has, so that no host receives packets to them.
for ns in A R; do
	[ $ns = A ] && net=66 || net=77
	ip -n $ns -batch - <<-END
		link add away type dummy
		address add 10.$net.0.1/24 dev away
		link set away up
	END
done

# Make connections and send datagrams to port 9000.
is "$(delivered B 8080 in_a trace-cmd record-skb "${few[@]}" -l 'nf_*' -l '*udp*' -b 16384 -o "$OUT/trace.dat" -p 9000 -- bash -c '
	"$0" number 10.9.0.254 9000 '$count' && "$0" number 10.66.0.2 9000 0 && "$0" number 10.77.0.2 9000 0 &&
	"$0" talk 10.9.0.254 5 9000 9001 && over 8080' "$traffic")" "received $count, late 0, twice 0" "recorded"
nothing_lost "$OUT/said"

# Check that report-skb shows the path and the verdict of each packet.
trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
declare -A inodes
for ns in A R B; do
	inodes[$ns]=$(stat -Lc %i /run/netns/$ns)
done
# became VERDICT WHERE TIMES PROTOCOL ENDS DEVICE@NAMESPACE…: check that TIMES packets with the addresses and
# ports ENDS took this path of devices and got VERDICT at WHERE, in the table and in JSON
became() {
	local what=$1 where=$2 proto=$4 ends=$5 words way='' hops='' before='' hop inode kind
	for hop in "${@:6}"; do
		inode=${inodes[${hop#*@}]}
		way+="${way:+ > }${hop%@*}"
		[ "${hop#*@}" = "$before" ] || way+="@${hop#*@}"
		before=${hop#*@}
		kind=veth
		[ "${hop%@*}" != away ] || kind=dummy
		hops+="${hops:+,}{\"device\":\"${hop%@*}\",\"netns\":$inode,\"netns_name\":\"${hop#*@}\",\"netns_kind\":\"ip-netns\",\"kind\":\"$kind\"}"
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
