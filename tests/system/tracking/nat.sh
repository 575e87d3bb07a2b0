#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a packet keeps its number through a router with DNAT and masquerade; at each place, it is shown with the addresses and ports that it has there
# requires: nft tcpdump
# timeout: 240

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/nat-router.sh"

# exchange COMMAND…: run a script that makes connections and sends datagrams to port 9000. Print how the
# datagrams arrived. COMMAND starts the script; it is env or a recorder.
exchange() {
	delivered B 8080 in_a "$@" bash -c '
		"$0" number 10.9.0.254 9000 '$count' && "$0" talk 10.9.0.254 5 9000 9001 && over 8080' "$traffic"
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
# Masquerade keeps the source port if it is free.
ports=$(tcpdump -r "$OUT/A.va.pcap" -nn -t 'tcp dst port 9000' 2>/dev/null |
	sed 's/.* 10.9.0.1.\([0-9]*\) >.*/\1/' | sort -u)
is "$(wc -l <<<"$ports")" 5 "connections"
mine=$(tr '\n' ' ' <<<"$ports" | sed 's/ $//; s/ / or src port /g')
as_tapped ip_rcv B vb "udp dst port 8080 or ( tcp dst port 8080 and ( src port $mine ) )"
is "$tapped" "$there" "as many as nftables forwarded there"

# A packet must have the same number everywhere. Its addresses and ports change on its way, and at each
# place the recording must show those that the packet had there.
numbers=$(numbers_at ip_output 'tx (tcp|udp) 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.254:9000 .* dev=va')
is "$(wc -l <<<"$numbers")" "$there" "packets that leave A"
same ip_rcv 'rx (tcp|udp) 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.254:9000 .* dev=ra ' "as A sent them"
same ip_forward 'rx (tcp|udp) 10\.9\.0\.1:[0-9]+ > 10\.8\.0\.2:8080 .* dev=ra ' "after DNAT"
same ip_output 'tx (tcp|udp) 10\.9\.0\.1:[0-9]+ > 10\.8\.0\.2:8080 .* dev=ra '  "still"
same veth_xmit 'tx (tcp|udp) 10\.8\.0\.254:[0-9]+ > 10\.8\.0\.2:8080 .* dev=rb ' "after masquerade"
same 'tcp_v4_rcv|udp_rcv' 'rx (tcp|udp) 10\.8\.0\.254:[0-9]+ > 10\.8\.0\.2:8080 .* dev=vb ' "in B"
in_b="dev=vb netns=$(stat -Lc %i /run/netns/B) "
is "$(grep -cE " packet: .* (tcp_v4_rcv|udp_rcv) .*$in_b" "$OUT/report")" "$there" \
	"in B's namespace"

# The router's NAT changes the source port of the answers back to 9000.
is "$(numbers_at veth_xmit 'tx (tcp|udp) 10\.9\.0\.254:9000 > 10\.9\.0\.1:[0-9]+ .* dev=ra ' | wc -l)" "$back" \
	"answers at A's side"

# The unrelated connections go to port 9001 of the router. When they arrive in B, they have the same
# destination address and port as the recorded connections.
others=$(tcpdump -r "$OUT/A.va.pcap" -nn -t 'dst port 9001' 2>/dev/null |
	sed 's/.* 10.9.0.1.\([0-9]*\) >.*/\1/' | sort -u)
is "$(wc -l <<<"$others")" 5 "other connections"
has_not "$(cat "$OUT/report")" ":($(tr '\n' '|' <<<"$others")9001)\b" "packets of these connections in the trace"
has "$(cat "$OUT/report")" "$(line_of udp_rcv '#1 udp 10.8.0.254:* > 10.8.0.2:8080')" \
	"the graph's line in B"
has "$(cat "$OUT/report")" "$(line_of ip_output '#1 udp 10.9.0.1:* > 10.9.0.254:9000')" \
	"and in A"
