#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the closing line of a graph shows what its sending probe point or call returned: dropped, congested, no buffer, success
# requires: nft tc socat
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/returns.sh"

# B receives the packets to port 7000, and does not answer.
in_b nft 'table inet no { chain in { type filter hook prerouting priority 0; udp dport 7000 drop; }; }'

# dropped: print how many packets A's queue dropped, as tc counts them
dropped() {
	tc -s qdisc show dev va | sed -n 's/.*(dropped \([0-9]*\),.*/\1/p' | tail -n 1
}
export -f dropped

cat >"$OUT/sent" <<'END'
send 2 9000
# The queue has room for two packets, which wait for a long time. It drops all others.
tc qdisc add dev va root netem delay 100000ms limit 2
send 5 9003
echo | socat - UDP:10.9.0.2:9004,ip-recverr=1 2>"$OUT/socat"
dropped >"$OUT/dropped"
tc qdisc del dev va root
# This queue has room for one packet. To make room, it drops its oldest packet, which belongs to the same
# flow. Hardly any packet leaves the queue.
tc qdisc add dev va root handle 1: tbf rate 100bit burst 1600 limit 1600
tc qdisc add dev va parent 1: handle 2: pfifo_head_drop limit 1
"$traffic" number 10.9.0.2 7000 45
dropped >"$OUT/before"
send 3 9005
dropped >"$OUT/congested"
tc qdisc del dev va root
END

record sent
# Six packets were sent: five datagrams, and one from socat. The queue had room for two.
is "$(cat "$OUT/dropped")" 4 "packets that the queue dropped"
returned ip_output 1 NET_XMIT_DROP 3
has "$(cat "$OUT/socat")" 'No buffer space available' "the error that socat prints"
has "$(cat "$OUT/returns")" '^[a-z_]*(send|write)[a-z_]* -105 -ENOBUFS 1$' "the return value of its call"
# On a busy machine, a packet may leave the queue in time, and then one of the three packets finds room.
congested=$(($(cat "$OUT/congested") - $(cat "$OUT/before")))
[ "$congested" -ge 1 ] || fail "the other queue dropped nothing"
returned ip_output 2 NET_XMIT_CN "$congested"
has "$(cat "$OUT/returns")" '^ip_output 0 NET_XMIT_SUCCESS ' "the other packets were sent"
