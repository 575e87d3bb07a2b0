#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: 65,536 packets that wait in a queue are all tracked; with far too many packets, the untracked ones are counted
# tags: slow
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# vm: --memory 3G
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

traffic=$(program traffic)
ioctl=$(program ioctl)
two_namespaces
# Make a permanent neighbour entry, because an ARP reply would wait behind the packets in the queue.
ip -n A neigh replace 10.9.0.2 lladdr "$(in_b cat /sys/class/net/vb/address)" dev va nud permanent
modprobe record_skb
at_exit sh -c 'grep -q "^record_skb " /proc/modules && modprobe -r record_skb; :'

# in_flight COUNT: let COUNT packets wait in a queue. Set $packets to the number of matching packets. The
# module may be unable to track some of them; set $forgotten to their number.
in_flight() {
	in_a tc qdisc replace dev va root netem delay 200s limit 1000000
	{ wait_for "matching" armed && in_a "$traffic" burst 10.9.0.2 "$1" 9000; } | "$ioctl" hold >"$OUT/held"
	[ "$(in_a tc -s qdisc show dev va | sed -n 's/.* backlog [^ ]* \([0-9]*\)p .*/\1/p')" -ge "$1" ] || fail \
		"not all packets are in the queue"
	in_a tc qdisc del dev va root
	read -r packets forgotten <"$OUT/held"
	[ "$packets" -ge "$1" ] || fail "only $packets matched"
}

in_flight 65536
is "$forgotten" 0 "forgotten of $packets packets"
# More packets wait now than the module can track. At its next probe point, an untracked packet matches the
# filter again, and gets another number.
in_flight 560000
[ "$forgotten" -gt $((560000 - 524288)) ] || fail "forgotten: $forgotten of $packets"
ok "$forgotten of $packets packets at the same time are forgotten and counted"
