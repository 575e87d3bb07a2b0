#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb names the queue that limits the rate of a socket as the cause of the longest delay
# requires: tc tcpdump
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# vm: --icount --smp 1
# tags: long
# timeout: 30000

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/longest-gap.sh"
. "$here/routed-delays.sh"

modprobe sch_fq
port=9400

# longest_pause PORT: print the longest time between two segments that left A
longest_pause() {
	tcpdump -ttnr $gaps/pcap "dst port $1 and greater 100" 2>/dev/null | awk '{
		split($1, at, ".")
		ms = at[1] % 100000 * 1000 + at[2] / 1000
		if (NR > 1 && ms - last > most)
			most = ms - last
		last = ms
	} END { print most }'
}

# The socket sets a maximum rate, and the fq qdisc delays each packet accordingly.
in_a tc qdisc add dev va root fq
for rate in 50000 100000 200000; do
	port=$((port + 1))
	watch_a
	serve $port accept recv 20000 send 1
	record -p $port -- ip netns exec A "$steps" set rate $rate connect 10.8.0.2 $port send 20000 recv 1
	capture_ends $tcpdump
	names "the queue of va, which paces" '#[0-9]+: it was in the queue of va \(qdisc\)' "$(longest_pause $port)"
done
in_a tc qdisc del dev va root
all_named
