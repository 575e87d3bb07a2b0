#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: packets that wait in a queue keep their numbers and their order, although they leave the queue later and in another context
# requires: tcpdump
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000 7001
count=50
delay=200
in_a tc qdisc add dev va root netem delay ${delay}ms limit 10000

waiting() {
	in_a tc -s qdisc show dev va | grep -q 'backlog [1-9]'
}
export -f waiting in_a
exchange() {
	delivered B 9000 in_a "$@" bash -c '
		"$0" talk 10.9.0.2 1 9000 7001 && "$0" number 10.9.0.2 7000 5 && "$0" number 10.9.0.2 9000 '$count' && over 9000 &&
		while waiting; do sleep 0.1; done' "$traffic"
}

wanted="received $count, late 0, twice 0"
is "$(exchange env)" "$wanted" "without recording"
tap B vb
is "$(exchange trace-cmd record-skb "${few[@]}" -l 'udp*' -b 16384 -o "$OUT/trace.dat" -p 9000 --)" "$wanted" \
	"recorded"
taps_end
nothing_lost "$OUT/said"
balanced "$OUT/trace.dat"
read_trace "$OUT/trace.dat"

as_tapped ip_rcv B vb 'dst port 9000'
[ "$tapped" -ge $((count + 5 + 4)) ] || fail "there were only $tapped packets"
only '10\.9\.0\.[12]:9000 '
[ "$(tapped B vb 'dst port 7000 or dst port 7001' | wc -l)" -gt 0 ] || fail "there was no unrelated traffic"

# Check how long each packet waited in the queue, and that the packets left it in order. For each packet,
# $OUT/waited shows if another task took it out of the queue.
awk -v delay=$delay -f "$here/rows.awk" -f "$here/queue-delays.awk" "$OUT/raw" >"$OUT/waited" || fail "the wait of a packet is wrong"
is "$(wc -l <"$OUT/waited")" "$tapped" "packets that waited"
has "$(cat "$OUT/waited")" ' other$' "some packets were taken out in another task's context"
numbers=$(numbers_at __dev_queue_xmit ' dev=va ')
# If several packets are ready, the queue may pass them to the driver together.
is "$(numbers_at veth_xmit ' dev=va ')" "$numbers" "the same numbers at veth_xmit"
is "$(numbers_at ip_rcv ' dev=vb ')" "$numbers" "the same numbers in B"
