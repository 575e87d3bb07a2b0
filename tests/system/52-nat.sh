#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: through a router with DNAT and masquerade a packet keeps its number and has the tuple of where it is
# requires: nft tcpdump
# timeout: 240

. "$(dirname "$0")/lib.sh"
. "$here/tap.sh"

three_namespaces
traffic=$(program traffic)
echo_server B 8080

# Both ports lead to the same server: there, nothing tells the one's packets from the other's.
ip netns exec R nft -f - <<END
table ip nat {
	chain to {
		type nat hook prerouting priority -100;
		ip daddr 10.9.0.254 tcp dport { 9000, 9001 } dnat to 10.8.0.2:8080
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
		meta l4proto tcp ct original proto-dst 9000 ct direction original counter name there
		meta l4proto tcp ct original proto-dst 9000 ct direction reply counter name back
	}
}
END
forwarded() {
	ip netns exec R nft list counter inet witness "$1" | sed -n 's/.*packets \([0-9]*\).*/\1/p'
}

tap A va
tap B vb
in_a trace-cmd record-skb "${few[@]}" -l 'nf_*' -b 16384 -o "$OUT/trace.dat" -p 9000 -- bash -c '
	"$0" talk 10.9.0.254 5 9000 9001 && over 8080' "$traffic" 2>"$OUT/said" || fail "$(cat "$OUT/said")"
taps_end
nothing_lost "$OUT/said"
balanced "$OUT/trace.dat"
read_trace "$OUT/trace.dat"

there=$(forwarded there)
back=$(forwarded back)
[ "$there" -ge 20 ] || fail "only $there packets went there"

as_tapped ip_rcv A va 'src port 9000'
is "$tapped" "$back" "as many as nftables forwarded back"
# Masquerade leaves the port as it is, if it can.
ports=$(tcpdump -r "$OUT/A.va.pcap" -nn -t 'dst port 9000' 2>/dev/null | sed 's/.* 10.9.0.1.\([0-9]*\) >.*/\1/' | sort -u)
is "$(wc -l <<<"$ports")" 5 "connections"
as_tapped ip_rcv B vb "dst port 8080 and ( src port $(tr '\n' ' ' <<<"$ports" | sed 's/ $//; s/ / or src port /g') )"
is "$tapped" "$there" "as many as nftables forwarded there"

# The same numbers everywhere, and the tuple of the place.
numbers=$(numbers_at ip_output 'tx tcp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.254:9000 .* dev=va')
is "$(wc -l <<<"$numbers")" "$there" "packets that leave A"
same() {
	is "$(numbers_at "$1" "$2")" "$numbers" "the same numbers at $1 ($3)"
}
same ip_rcv 'rx tcp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.254:9000 .* dev=ra ' "as A sent them"
same ip_forward 'rx tcp 10\.9\.0\.1:[0-9]+ > 10\.8\.0\.2:8080 .* dev=ra ' "after DNAT"
same ip_output 'tx tcp 10\.9\.0\.1:[0-9]+ > 10\.8\.0\.2:8080 .* dev=ra '  "still"
same veth_xmit 'tx tcp 10\.8\.0\.254:[0-9]+ > 10\.8\.0\.2:8080 .* dev=rb ' "after masquerade"
same tcp_v4_rcv 'rx tcp 10\.8\.0\.254:[0-9]+ > 10\.8\.0\.2:8080 .* dev=vb ' "in B"
is "$(grep -c " packet: .* tcp_v4_rcv .*dev=vb netns=$(stat -Lc %i /run/netns/B) " "$OUT/report")" "$there" \
	"in B's namespace"

# The answers are of port 9000 again when they have left the router's NAT behind.
is "$(numbers_at veth_xmit 'tx tcp 10\.9\.0\.254:9000 > 10\.9\.0\.1:[0-9]+ .* dev=ra ' | wc -l)" "$back" \
	"answers at A's side"

# Nothing of the other connections, which look the same in B.
others=$(tcpdump -r "$OUT/A.va.pcap" -nn -t 'dst port 9001' 2>/dev/null | sed 's/.* 10.9.0.1.\([0-9]*\) >.*/\1/' | sort -u)
is "$(wc -l <<<"$others")" 5 "other connections"
has_not "$(cat "$OUT/report")" ":($(tr '\n' '|' <<<"$others")9001)\b" "nothing of them in the trace"
has "$(cat "$OUT/report")" 'tcp_v4_rcv\(\) \{ /\* #1 tcp 10\.8\.0\.254:[0-9]+ > 10\.8\.0\.2:8080 \*/' \
	"the graph's line in B"
has "$(grep -F "/* #1 tcp" "$OUT/report")" 'ip_output\(\) \{ /\* #1 tcp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.254:9000 \*/' \
	"and in A"
