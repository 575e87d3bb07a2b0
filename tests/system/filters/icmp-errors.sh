#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: an ICMP or ICMPv6 error belongs to the flow of the packet that it quotes; --no-icmp-errors excludes errors
# requires: tcpdump
# timeout: 240

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"

three_namespaces
traffic=$(program traffic)
# No server listens in B, and the router has no route to one address of B's network.
ip -n R route add unreachable 10.8.0.77/32
for ns in R B; do
	ip netns exec $ns sysctl -q net.ipv4.icmp_ratelimit=0 net.ipv6.icmp.ratelimit=0
done
cat >"$OUT/command" <<'END'
for to in 10.8.0.2 10.8.0.77 fd08::2; do
	"$1" number $to 9000 0
	"$1" number $to 7000 0
done
END

record() {
	tap A va
	in_a trace-cmd record-skb "${few[@]}" -l 'icmp*' -o "$OUT/trace.dat" "$@" udp port 9000 -- bash "$OUT/command" "$traffic" \
		2>"$OUT/said" || fail "$(cat "$OUT/said")"
	taps_end
	nothing_lost "$OUT/said"
	balanced "$OUT/trace.dat"
	read_trace "$OUT/trace.dat"
}
# quoting EXPRESSION: print how many errors that match EXPRESSION tcpdump saw
quoting() {
	tcpdump -r "$OUT/A.va.pcap" -nn -t "$1" 2>/dev/null | grep -c unreachable
}

record
v4=$(quoting 'icmp and icmp[30:2] = 9000')
v6=$(quoting 'icmp6 and ip6[90:2] = 9000')
[ "$v4" -ge 4 ] && [ "$v6" -ge 2 ] || fail "there were only $v4 and $v6 errors"
[ "$(quoting 'icmp and icmp[30:2] = 7000')" -ge 2 ] || fail "there were no errors about other packets"
is "$(numbers_at ip_rcv ' icmp .* dev=va ' | wc -l)" "$v4" "errors that arrive in A"
is "$(numbers_at ipv6_rcv ' icmpv6 .* dev=va ' | wc -l)" "$v6" "ICMPv6 errors that arrive in A"
has "$(cat "$OUT/report")" '#[0-9]+ ip_rcv rx icmp 10\.9\.0\.254:0 > 10\.9\.0\.1:0 .*dev=va ' \
	"from the router"
has "$(cat "$OUT/report")" '#[0-9]+ ip_rcv rx icmp 10\.8\.0\.2:0 > 10\.9\.0\.1:0 .*dev=va ' "from the host"
# The recording must have three flows, with packets in both directions. An error belongs to the flow of the
# packet that it quotes.
is "$(sed -n 's/.* packet: .* flow=\([0-9]*\) .*/\1/p' "$OUT/report" | sort -nu | tr '\n' ' ')" "1 2 3 " \
	"flows"
is "$(sed -n 's/.* packet: .* icmp 10\.8\.0\.2:0 .* flow=\([0-9]*\) .*/\1/p' "$OUT/report" | sort -u)" \
	"$(sed -n 's/.* packet: .* > 10\.8\.0\.2:9000 .* flow=\([0-9]*\) .*/\1/p' "$OUT/report" | sort -u)" \
		"the flow they quote"
only ':9000 | icmp(v6)? '
has "$(cat "$OUT/report")" "$(line_of icmp_rcv '# icmp 10.*.0.* > 10.9.0.1 port unreachable')" \
	"a line of one"

record --no-icmp-errors
[ "$(quoting 'icmp and icmp[30:2] = 9000')" -ge 4 ] || fail "there were no errors during the second recording"
only ':9000 '
