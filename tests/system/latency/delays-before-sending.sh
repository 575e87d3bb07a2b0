#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb names the writer of a socket, or a rule of TCP or of the socket, as the cause of the longest delay
# requires: tc
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# vm: --icount --smp 1
# tags: long
# timeout: 30000

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/longest-gap.sh"

two_namespaces
warm_up

data='#[0-9]+: its data'

for ms in 80 200 310; do
	serve 9007 accept recv 1 set cork 1 send 1 sleep $ms set cork 0
	record_client 9007 send 1 recv 1
	[ $ms -gt 190 ] || names "an answer that is corked" "$data was held back in the socket \(cork, MSG_MORE\)" \
		"$(paused $gaps/server)"

	# With MSG_MORE, the kernel holds the data back until the client calls send() again.
	serve 9008 accept recv 200 send 1
	record_client 9008 more 100 sleep $((ms / 2)) send 100 recv 1
	names "MSG_MORE" "$data was held back in the socket \(cork, MSG_MORE\)" "$(paused $gaps/printed)"

	serve 9009 accept recv 100 send 1
	record_client 9009 set cork 1 send 100 sleep $((ms / 2)) set cork 0 recv 1
	names "a cork that is pulled" "$data was held back in the socket \(cork, MSG_MORE\)" "$(paused $gaps/printed)"
done

# The kernel itself causes these delays. tcpdump would show them only as gaps between segments.
serve 9011 accept recv 100 send 1
record_client 9011 set cork 1 send 100 recv 1
names "a cork that is never removed" "$data waited in the socket \(cork, MSG_MORE, pacing, .*\)" 204

serve 9012 accept set quickack 0 recv 1 send 1 recv 1 send 1 recv 2 send 1
record_client 9012 send 1 recv 1 send 1 recv 1 send 1 send 1 recv 1
names "Nagle with a delayed ACK" \
	"$data, a small segment, waited in the socket for the acknowledgement of earlier data \(Nagle, unless the congestion window was full\), until #[0-9]+ came" 42

for rate in 50000 100000 200000; do
	serve 9013 accept recv 60000 send 1
	record -p 9013 -- ip netns exec A "$steps" set rate $rate connect 10.9.0.2 9013 send 60000 recv 1
	names "pacing" "$data was held back in the socket \(pacing, or the device's queue\)" $((14480 * 1000 / rate))
done

# The send buffer of this socket is small. So the last send() waits until the queue has released earlier
# datagrams.
ip netns exec B "$traffic" hoard 9014 1000000 &
at_exit stop $!
wait_for "a socket for them" udp_listening B 9014
in_a tc qdisc replace dev va root tbf rate 80kbit burst 1600 limit 100000
record -p 9014 -- ip netns exec A "$steps" open 10.9.0.2 9014 set sndbuf 2304 send 1000 send 1000 send 1000 timed 1000
names "a small SO_SNDBUF" '#[0-9]+: (the call that sends it had begun: it worked, or waited for room in the socket or for a CPU|.*queue of va \(qdisc\))' "$(paused $gaps/printed)"
in_a tc qdisc del dev va root
all_named
