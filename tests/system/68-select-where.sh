#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: options that select packets by where they are: --mark, --netns, --rx, --tx, -i; and --no-track
# requires: nft
# timeout: 240

. "$(dirname "$0")/lib.sh"
. "$here/tap.sh"
. "$here/select.sh"

record --mark 0x10/0xf0
all ' tcp (10\.9\.0\.1|\[fd09::1\]):[0-9]+ > (10\.8\.0\.2|\[fd08::2\]):7001 ' "--mark with a mask"
has_not "$(cat "$OUT/first")" ' va ' "--mark: not before it was set"

in_b=$(stat -Lc %i /run/netns/B)
record -i any --mark 0x10/0xf0 --mark 0
some ' > 10\.8\.0\.2:7001 va ' "--mark twice: one of them"
some ' 10\.8\.0\.254:[0-9]+ > 10\.8\.0\.2:9000 rb ' "-i any: of the router's interface too"

# Packets with a route through it count as on it.
record -i va -i vb --netns A --netns B -p 9000
all " v[ab] ($(stat -Lc %i /run/netns/A)|$(stat -Lc %i /run/netns/B))\$" "-i and --netns twice"
some ' 10\.9\.0\.1:[0-9]+ > 10\.8\.0\.2:9000 va ' "-i va"
some ' 10\.8\.0\.254:[0-9]+ > 10\.8\.0\.2:9000 vb ' "-i vb, which is not where -i va is"

record --netns "$in_b" -p 9000
all " $in_b\$" "--netns by a number that is mounted"

background ip netns exec B sleep 1000
process=$!
is_in_b() {
	[ "$(stat -Lc %i /proc/$process/ns/net)" = "$in_b" ]
}
wait_for "a process in B" is_in_b
record --netns "$process" -p 9000
all " $in_b\$" "--netns by the pid of a process in B"
some ' > 10\.8\.0\.2:9000 vb ' "what arrives there"
some ' 10\.8\.0\.2:9000 > [0-9.:]+ vb ' "what leaves there"

# A name of ip netns comes before a process of this number.
ip netns attach 7 "$process"
at_exit ip netns del 7
record --netns 7 -p 9000
all " $in_b\$" "--netns by a name that is a number"
record --netns R -i rb -p 9000
all " rb $(stat -Lc %i /run/netns/R)\$" "--netns and -i: the interface of that namespace"

record --rx -p 9000
is "$(grep ' packet: ' "$OUT/report" | grep -vc ' rx ')" 0 "--rx: where they are sent, none"
record --tx --no-track -p 9000
is "$(grep ' packet: ' "$OUT/report" | grep -vc ' tx ')" 0 "--tx: where they are received, none"
# Judged at each point anew, it has another number each time.
is "$(grep -c ' packet: ' "$OUT/report")" "$(wc -l <"$OUT/first")" \
	"--no-track: a number for each time it is seen"

# ICMP messages that the kernel of this namespace has received, by its own count
icmp_received() {
	nstat -asz IcmpInMsgs | awk '$1 == "IcmpInMsgs" { print $2 }'
}
# Every namespace has a lo, and it has the same index everywhere.
before=$(icmp_received)
is "$(status_of trace-cmd record-skb -l ip_rcv -o "$OUT/trace.dat" -i lo icmp -- bash -c '
	ping -q -c 1 127.0.0.1 && ip netns exec A ping -q -c 1 127.0.0.1')" 0 "-i lo"
read_trace "$OUT/trace.dat"
# At a socket's queue a packet's device is not looked at.
only " (sock_queue_rcv_skb_reason .*|.* dev=lo )netns="
only " netns=$(stat -Lc %i /proc/self/ns/net) "
only " icmp 127\.0\.0\.1:0 > 127\.0\.0\.1:0 "
is "$(numbers_at ip_rcv | wc -l)" $(($(icmp_received) - before)) "-i lo: what the kernel received"
