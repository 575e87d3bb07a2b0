#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb names the packet that another one waited for: an answer, an acknowledgement, a fragment or ARP, as the cause of the longest delay
# requires: tc
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# vm: --icount --smp 1
# tags: long
# timeout: 30000

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/longest-gap.sh"
. "$here/routed-delays.sh"

modprobe sch_netem
ip netns exec B "$traffic" hoard 9100 10000000 &
at_exit stop $!
wait_for "a socket for datagrams" udp_listening B 9100

# some_wait NAMESPACE DEVICE MS FILTER…: delay only the packets that FILTER selects
some_wait() {
	local ns=$1 device=$2
	ip netns exec "$ns" tc qdisc add dev "$device" root handle 1: prio
	ip netns exec "$ns" tc qdisc add dev "$device" parent 1:3 netem delay "$3ms"
	ip netns exec "$ns" tc filter add dev "$device" parent 1: "${@:4}" flowid 1:3
}

# neighbour NAMESPACE DEVICE ANSWERS ITS-DEVICE MS: remove the neighbour entries of DEVICE, and delay the ARP
# replies of the neighbour by MS milliseconds. The neighbour has the device ITS-DEVICE in the namespace
# ANSWERS.
neighbour() {
	some_wait "$3" "$4" "$5" protocol arp u32 match u32 0 0
	ip -n "$1" neighbour flush dev "$2"
	record -p 9100 -- ip netns exec A "$steps" open 10.8.0.2 9100 send 100 sleep "$5" sleep 50
	names "the neighbour of $2" "#[0-9]+: it waited on $2 for its neighbour's link-layer address" "$5"
	ip netns exec "$3" tc qdisc del dev "$4" root
}

away='#[0-9]+ -> #[0-9]+: the network or the other end had the data, and no data had come in'
port=9200

for ms in 60 110 240 390; do
	neighbour A va R ra $ms
	neighbour R rb B vb $ms

	# Delay a fragment. Record in the namespace where the other fragments of the packet wait for it.
	some_wait R rb $ms protocol ip u32 match u16 0x00b9 0x1fff at 6
	record --netns B -p 9100 -- ip netns exec A "$steps" open 10.8.0.2 9100 send 2000 sleep $ms sleep 50
	names "a late fragment" "#[0-9.]+: it waited for the other fragments of its packet" $ms
	in_r tc qdisc del dev rb root

	# A recording of one end cannot show which side delayed an answer, the network or the server.
	port=$((port + 1))
	serve $port accept recv 1 sleep $ms send 1
	record --netns A -p $port -- ip netns exec A "$steps" connect 10.8.0.2 $port send 1 recv 1
	names "a server elsewhere" "$away" "$(paused $gaps/server)"
	in_b tc qdisc add dev vb root netem delay ${ms}ms
	port=$((port + 1))
	exchange $port --netns A
	names "a network elsewhere" "$away" $ms
	in_b tc qdisc del dev vb root

	# With an initial window of one segment, the second segment waits for an acknowledgement. Each
	# direction of the link delays packets by half of the time.
	ip -n A route change default via 10.9.0.254 initcwnd 1
	in_r tc qdisc add dev rb root netem delay $((ms / 2))ms
	in_r tc qdisc add dev ra root netem delay $((ms / 2))ms
	port=$((port + 1))
	serve $port accept recv 2896 send 1
	record -p $port -- ip netns exec A "$steps" connect 10.8.0.2 $port send 2896 recv 1
	names "the congestion window" '#[0-9]+: its data waited in the socket for the acknowledgement of earlier data \(congestion window\), until #[0-9]+ came' \
		$((ms / 2 * 2))
	in_r tc qdisc del dev ra root
	in_r tc qdisc del dev rb root
	ip -n A route change default via 10.9.0.254
done
all_named
