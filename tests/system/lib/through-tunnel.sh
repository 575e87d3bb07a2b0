# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# through-tunnel.sh - the packets of a recording that pass a tunnel between two namespaces
# shellcheck disable=SC2154 # lib.sh and tap.sh set the other variables.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
#          A (10.42.0.1) xa --- xb (10.42.0.2) B, the tunnel

. "$here/overlays.sh"
. "$here/tap.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000 7001
count=20

# exchange COMMAND…: let COMMAND run the traffic through the tunnel. The connection to port 7001 must not be
# recorded.
exchange() {
	delivered B 9000 in_a "$@" bash -c '
		"$0" talk 10.42.0.2 3 9000 7001 && "$0" number 10.42.0.2 9000 '$count' && over 9000' "$traffic"
}

# through KIND ARGS SENDS ARRIVES TAKES PROTOCOL AROUND PORT: record connections through a tunnel, and check
# that each packet keeps its number inside the outer header and after this header is removed. tcpdump is the
# witness of the packets on the link and in the tunnel.
#   KIND: name of the tunnel for messages
#   ARGS: arguments of "ip link add" for the tunnel
#   SENDS: transmit function of the tunnel's device
#   ARRIVES: function in B where the outer packet arrives
#   TAKES: function that removes the outer header
#   PROTOCOL: protocol of the outer packet
#   AROUND: tcpdump expression for outer packets
#   PORT: tcpdump expression for the destination port inside
through() {
	local kind=$1 args=$2 sends=$3 arrives=$4 takes=$5 protocol=$6 around=$7 port=$8 wanted inside numbers
	local -a graph
	# shellcheck disable=SC2086
	tunnel $args
	wanted="received $count, late 0, twice 0"
	is "$(exchange env)" "$wanted" "$kind: without recording"
	tap B vb
	tap B xb
	graph=("${few[@]}" -l 'udp*' -l 'gro_*' -l "$sends" -l "$takes")
	is "$(exchange trace-cmd record-skb "${graph[@]}" -b 16384 -o "$OUT/trace.dat" -p 9000 --)" "$wanted" \
		"$kind: recorded"
	taps_end
	nothing_lost "$OUT/said"
	balanced "$OUT/trace.dat"
	read_trace "$OUT/trace.dat"

	# Compare two kinds of packets with the capture: those that leave the tunnel, and the outer packets
	# that contain a packet to port 9000.
	as_tapped 'ip_rcv|ip_list_rcv' B xb 'dst port 9000'
	inside=$tapped
	[ "$inside" -ge $((count + 5 + 3 * 4)) ] || fail "only $inside packets went through the tunnel"
	as_tapped ip_rcv B vb "$around and src host 10.9.0.1 and $port = 9000"
	is "$tapped" "$inside" "as many around as inside"
	[ "$(tapped B vb "$around and $port = 7001" | wc -l)" -gt 0 ] || fail "there was no unrelated traffic"

	numbers=$(numbers_at ip_output 'tx (tcp|udp) 10\.42\.0\.1:[0-9]+ > 10\.42\.0\.2:9000 .* dev=xa ')
	is "$(wc -l <<<"$numbers")" "$inside" "packets that A sends"
	same dev_hard_start_xmit '10\.42\.0\.1:[0-9]+ > 10\.42\.0\.2:9000 .* dev=xa ' "into the tunnel"
	same "$sends" '10\.42\.0\.1:[0-9]+ > 10\.42\.0\.2:9000 .* dev=xa ' "the tunnel's own"
	same __ip_local_out "tx $protocol 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:(0|4789) " "in its new header"
	same veth_xmit "tx $protocol 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:(0|4789) .* dev=va " "on the device below"
	same "$arrives" "rx $protocol 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:(0|4789) .* dev=vb " "arrived"
	same "$takes" "rx $protocol 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:(0|4789) .* dev=vb " "before the packet is taken out of the tunnel"
	same 'ip_rcv|ip_list_rcv' 'rx (tcp|udp) 10\.42\.0\.1:[0-9]+ > 10\.42\.0\.2:9000 .* dev=xb ' "and after"
	only "10\.42\.0\.[12].*:9000 |10\.42\.0\.[12]:9000 >| $protocol 10\.9\.0\.[12]:[0-9]+ > 10\.9\.0\.[12]:(0|4789) "
	has_not "$(cat "$OUT/report")" ':7001\b' "unrelated connections"
	has "$(cat "$OUT/report")" "$(line_of "$sends" '#1 tcp 10.42.0.1:* > 10.42.0.2:9000')" "a line inside"
	has "$(cat "$OUT/report")" "ip_output\(\) \{ /\* #1 $protocol 10\.9\.0\.1(:[0-9]+)? > 10\.9\.0\.2(:4789)? \*/" \
		"a line outside"
	ip -n A link del xa
	ip -n B link del xb
}
