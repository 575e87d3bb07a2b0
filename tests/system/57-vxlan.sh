#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: through vxlan a packet keeps its number, in its new headers and out of them again; the tuple is that of the place
# requires: tcpdump
# timeout: 240

. "$(dirname "$0")/lib.sh"
. "$here/tap.sh"

two_namespaces
traffic=$(program traffic)
for ns in A B; do
	[ $ns = A ] && n=1 || n=2
	ip -n $ns -batch - <<-END
		link add x${ns,} type vxlan id 42 local 10.9.0.$n remote 10.9.0.$((3 - n)) dstport 4789 dev v${ns,}
		address add 10.42.0.$n/24 dev x${ns,}
		link set x${ns,} up
	END
done
wait_for "the tunnel" in_a ping -c 1 -W 1 10.42.0.2
echo_server B 9000 7001
count=50

udp_listens() {
	[ -n "$(in_b ss -Hlun 'sport = :9000')" ]
}
exchange() {
	in_b "$traffic" collect 9000 >"$OUT/came" &
	local collector=$!
	at_exit stop $collector
	wait_for "the collector" udp_listens
	in_a "$@" bash -c '"$0" talk 10.42.0.2 3 9000 7001 && "$0" number 10.42.0.2 9000 '$count' && over 9000' "$traffic" \
		2>"$OUT/said" || fail "$*: $(cat "$OUT/said")"
	wait "$collector"
	cat "$OUT/came"
}

wanted="received $count, late 0, twice 0"
is "$(exchange env)" "$wanted" "without recording"
tap B vb
tap B xb
is "$(exchange trace-cmd record-skb "${few[@]}" -l 'udp*' -l 'vxlan_*' -l 'gro_*' -b 16384 -o "$OUT/trace.dat" \
	-p 9000 --)" \
	"$wanted" "recorded"
taps_end
nothing_lost "$OUT/said"
balanced "$OUT/trace.dat"
read_trace "$OUT/trace.dat"

# The packets inside, as they come out of the tunnel, and those around them, told by what they carry.
as_tapped 'ip_rcv|ip_list_rcv' B xb 'dst port 9000'
inside=$tapped
[ "$inside" -ge $((count + 5 + 3 * 4)) ] || fail "only $inside packets went through the tunnel"
as_tapped ip_rcv B vb 'udp dst port 4789 and src host 10.9.0.1 and udp[52:2] = 9000'
is "$tapped" "$inside" "as many around as inside"
[ "$(tapped B vb 'udp dst port 4789 and udp[52:2] = 7001' | wc -l)" -gt 0 ] || fail "there were no others"

numbers=$(numbers_at ip_output 'tx (tcp|udp) 10\.42\.0\.1:[0-9]+ > 10\.42\.0\.2:9000 .* dev=xa ')
is "$(wc -l <<<"$numbers")" "$inside" "packets that A sends"
same() {
	is "$(numbers_at "$1" "$2")" "$numbers" "the same numbers at $1 ($3)"
}
same dev_hard_start_xmit '10\.42\.0\.1:[0-9]+ > 10\.42\.0\.2:9000 .* dev=xa ' "into the tunnel"
same vxlan_xmit '10\.42\.0\.1:[0-9]+ > 10\.42\.0\.2:9000 .* dev=xa ' "the tunnel's own"
same __ip_local_out 'tx udp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:4789 ' "in its new header"
same veth_xmit 'tx udp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:4789 .* dev=va ' "on the device below"
same udp_rcv 'rx udp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:4789 .* dev=vb ' "arrived"
same vxlan_rcv 'rx udp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:4789 .* dev=vb ' "before it is taken out"
same 'ip_rcv|ip_list_rcv' 'rx (tcp|udp) 10\.42\.0\.1:[0-9]+ > 10\.42\.0\.2:9000 .* dev=xb ' "and after"
only '10\.42\.0\.[12].*:9000 |10\.42\.0\.[12]:9000 >|:4789 '
has_not "$(cat "$OUT/report")" ':7001\b' "no other connection"
has "$(cat "$OUT/report")" 'vxlan_xmit\(\) \{ /\* #1 tcp 10\.42\.0\.1:[0-9]+ > 10\.42\.0\.2:9000 \*/' \
	"a line inside"
has "$(cat "$OUT/report")" 'ip_output\(\) \{ /\* #1 udp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:4789 \*/' \
	"a line outside"
