#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --mark, --netns, --direction and -i select packets by mark, namespace, direction and device
# requires: nft
# tags: slow
# timeout: 240

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/select.sh"

record --mark 0x10/0xf0
all ' tcp (10\.9\.0\.1|\[fd09::1\]):[0-9]+ > (10\.8\.0\.2|\[fd08::2\]):7001 ' "--mark with a mask"
has_not "$(cat "$OUT/first")" ' va ' "--mark: events before the mark was set"

in_b=$(stat -Lc %i /run/netns/B)
record -i any --mark 0x10/0xf0 --mark 0
some ' > 10\.8\.0\.2:7001 va ' "--mark twice: packets with either mark"
some ' 10\.8\.0\.254:[0-9]+ > 10\.8\.0\.2:9000 rb ' "-i any: of the router's interface too"

# If the route of a packet leads through an interface, it counts as a packet of this interface.
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
some ' > 10\.8\.0\.2:9000 vb ' "packets that arrive in B"
some ' 10\.8\.0\.2:9000 > [0-9.:]+ vb ' "packets that leave B"

# If the argument of --netns is both a name of "ip netns" and a PID, the name wins.
ip netns attach 7 "$process"
at_exit ip netns del 7
record --netns 7 -p 9000
all " $in_b\$" "--netns by a name that is a number"
record --netns R -i rb -p 9000
all " rb $(stat -Lc %i /run/netns/R)\$" "--netns and -i: the interface of that namespace"

record --direction rx -p 9000
is "$(grep ' packet: ' "$OUT/report" | grep -vc ' rx ')" 0 "--direction rx: where they are sent, none"
record --direction tx -p 9000
is "$(grep ' packet: ' "$OUT/report" | grep -vc ' tx ')" 0 "--direction tx: where they are received, none"

# icmp_received: print how many ICMP messages the kernel has received in this namespace
icmp_received() {
	nstat -asz IcmpInMsgs | awk '$1 == "IcmpInMsgs" { print $2 }'
}
# Each namespace has a device lo, and all of them have the same index. Only packets of this namespace's lo
# must match.
before=$(icmp_received)
is "$(status_of trace-cmd record-skb -l ip_rcv -o "$OUT/trace.dat" -i lo icmp -- bash -c '
	ping -q -c 1 127.0.0.1 && ip netns exec A ping -q -c 1 127.0.0.1')" 0 "-i lo"
read_trace "$OUT/trace.dat"
# At the socket queue, record-skb does not test the device of a packet.
only " (sock_queue_rcv_skb_reason .*|.* dev=lo )netns="
only " netns=$(stat -Lc %i /proc/self/ns/net) "
only " icmp 127\.0\.0\.1:0 > 127\.0\.0\.1:0 "
is "$(numbers_at ip_rcv | wc -l)" $(($(icmp_received) - before)) "-i lo: packets, as the kernel counts them"
