#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb names the socket, its reader, its writer or a rule of TCP as the cause of the longest delay
# requires: tc chrt
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# vm: --icount --smp 1
# tags: long
# timeout: 30000

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/longest-gap.sh"

two_namespaces
warm_up

unread="#[0-9]+: it was in the socket's queue, and no program had read it"
awaited="#[0-9]+: it was in the socket's queue; its reader was in the call for it, and had no CPU or wanted more .*"
data='#[0-9]+: its data'

for ms in 80 200 310; do
	# Stop the reader while it is in its receive call. Then send the next byte, and let the reader
	# continue later.
	serve 9000 accept recv 1 send 1 recv 1 send 1
	record_client 9000 send 1 recv 1 sleep 5 signal 19 "$server" sleep 5 send 1 sleep $ms signal 18 "$server" recv 1
	names "a stopped reader" "$unread" "$(paused $gaps/printed 3)"

	serve 9001 signal 19 0 accept recv 1 send 1
	record_client 9001 send 1 sleep $ms signal 18 "$server" recv 1
	names "not accepted" "$unread" "$(paused $gaps/printed)"

	serve 9002 accept recv 1 send 1 sleep $ms recv 1 send 1
	record_client 9002 send 1 recv 1 send 1 recv 1
	names "a late reader" "$unread" "$(paused $gaps/server)"

	serve 9003 accept recv 1 send 1 recv 1 send 1
	record_client 9003 send 1 recv 1 sleep 5 fifo 50 send 1 spin $ms recv 1
	names "a busy CPU" "$awaited" "$(paused $gaps/printed 2)"

	serve 9004 accept set lowat 100 recv 100 send 1
	record_client 9004 set nodelay 1 sleep 50 send 50 sleep $ms send 50 recv 1
	names "SO_RCVLOWAT" "$awaited" "$(paused $gaps/printed 2)"

	# The application has the request, and takes long to answer.
	serve 9005 accept recv 1 sleep $ms send 1
	record_client 9005 send 1 recv 1
	names "a server that sleeps" '#[0-9]+ -> #[0-9]+: the application had the request and had not answered' \
		"$(paused $gaps/server)"

	serve 9006 accept recv 1 spin $ms send 1
	record_client 9006 send 1 recv 1
	names "a server that works" '#[0-9]+ -> #[0-9]+: the application had the request and had not answered' \
		"$(paused $gaps/server)"

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

	before="set rcvbuf 4608" serve 9010 accept sleep $ms recv 50000 send 1
	record_client 9010 send 50000 recv 1
	names "a zero window, and who does not read" "$unread" "$(paused $gaps/server)"
done

# Here the kernel itself causes the delay. A capture by tcpdump shows only gaps between segments, so the
# expected duration is a constant.
serve 9011 accept recv 100 send 1
record_client 9011 set cork 1 send 100 recv 1
names "a cork that nobody pulls" "$data was held back in the socket \(cork, MSG_MORE\)" 204

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
