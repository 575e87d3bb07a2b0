#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: among many connections, exactly the packets of port 9000 are recorded, as nftables and tcpdump confirm
# requires: nft tcpdump
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/crowd.sh"

crowd
nothing_lost $crowd/said
{ read -r to_b; read -r to_a; } <$crowd/counted
# In each connection, B receives at least a SYN, an ACK, data and a FIN.
[ "$to_b" -ge $((crowd_mine * 4)) ] || fail "nftables saw only $to_b packets in B"

trace-cmd report -R -i $crowd/trace.dat >"$OUT/raw"

# The packets at ip_rcv are the packets on the wire, so compare the two lists packet by packet.
seen_at() {
	awk -v func="$1" -f "$here/rows.awk" -f "$here/packets.awk" "$OUT/raw" | sort
}
on_the_wire() {
	tcpdump -r $crowd/wire.pcap -nn -t -x "tcp and $1" 2>/dev/null |
		awk -f "$here/rows.awk" -f "$here/wire.awk" | sort
}
seen_at ip_rcv >"$OUT/seen"
on_the_wire 'port 9000' >"$OUT/wire"
[ -s "$OUT/wire" ] || fail "tcpdump saw nothing"
diff "$OUT/wire" "$OUT/seen" >&2 || fail "the recorded packets (>) differ from the captured packets (<)"
ok "$(wc -l <"$OUT/wire") packets, as tcpdump saw them"
is "$(wc -l <"$OUT/seen")" $((to_b + to_a)) "as many as nftables counted"
is "$(grep -c '> 10\.9\.0\.2:9000' "$OUT/seen")" "$to_b" "as many to B"

# The background packets must be on the wire, and not in the trace.
others=$(on_the_wire 'not port 9000' | wc -l)
[ "$others" -ge $((10 * (to_b + to_a) / 2)) ] || fail "there were only $others other packets"
has_not "$(grep -E ' (packet|call): ' "$OUT/raw" | grep -v 'ARRAY\[02, 00, 23, 28,')" 'proto=6' \
	"nothing but port 9000 in the events"

# Each packet must be recorded at each of these probe points, from the sender's IP layer to the receiver's
# TCP.
for point in __ip_local_out ip_output __dev_queue_xmit dev_hard_start_xmit netif_rx_internal ip_rcv ip_local_deliver \
	tcp_v4_rcv; do
	is "$(seen_at $point | wc -l)" $((to_b + to_a)) "packets at $point"
done
numbers=$(awk -v number=1 -v func=ip_rcv -f "$here/rows.awk" -f "$here/packets.awk" "$OUT/raw" | cut -d ' ' -f 1 | sort -n)
is "$(echo "$numbers" | tr '\n' ' ')" "$(seq -s ' ' $((to_b + to_a))) " "they are numbered from 1, without a gap"
is "$(sed -n 's/ packets matched.*//p' $crowd/said)" $((to_b + to_a)) "the summary has the same number"
is "$(sed -n 's/.*matched, \([0-9]*\) flows seen/\1/p' $crowd/said)" $crowd_mine "the summary has the number of flows"
