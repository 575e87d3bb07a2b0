#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb names the queue or the driver as the cause of the longest delay
# requires: tc nft
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# vm: --icount --smp 1
# tags: long
# timeout: 30000

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/longest-gap.sh"
. "$here/routed-delays.sh"

for module in ifb sch_netem nf_conntrack; do
	modprobe $module
done
ip -n R link add ifb0 type ifb
ip -n R link set ifb0 up
ip netns exec B "$traffic" hoard 9100 10000000 &
at_exit stop $!
wait_for "a socket for datagrams" udp_listening B 9100

# queue NAMESPACE DEVICE MS PORT: delay all packets that leave through DEVICE by MS milliseconds
queue() {
	ip netns exec "$1" tc qdisc replace dev "$2" root netem delay "$3ms"
	exchange "$4"
	names "the queue of $2" "#[0-9]+: it was in the queue of $2 \(qdisc\)" "$3"
	ip netns exec "$1" tc qdisc del dev "$2" root
}

# late FUNCTION MS WORDS [PARAMETER]: delay FUNCTION by MS milliseconds for an outgoing packet (see late.c)
late() {
	insmod "$(made_on_host late.ko)" of="$1" ms="$2" "${@:4}"
	record -p 9100 -- ip netns exec A "$steps" open 10.8.0.2 9100 send 100
	rmmod late
	names "$1 is late ${*:4}" "$3" "$2"
}

port=9200

for ms in 60 110 240 390; do
	for place in "A va" "R rb" "B vb" "R ra"; do
		port=$((port + 1))
		# shellcheck disable=SC2086
		queue $place $ms $port
	done

	late veth_xmit $ms '#[0-9]+: veth_xmit took it by itself: it worked for it, or was interrupted'
	late veth_xmit $ms '#[0-9]+: __dev_queue_xmit took it by itself: it worked for it, or was interrupted' softirq=1

	# Delay packets in a queue behind NAT. Then redirect incoming packets to a virtual device, and delay
	# them in its queue.
	in_r nft "add table ip nat; add chain ip nat out { type nat hook postrouting priority 100; }; add rule ip nat out masquerade"
	port=$((port + 1))
	queue R rb $ms $port
	in_r nft delete table ip nat
	in_r tc qdisc add dev ra ingress
	in_r tc filter add dev ra parent ffff: u32 match u32 0 0 action mirred egress redirect dev ifb0
	port=$((port + 1))
	queue R ifb0 $ms $port
	in_r tc qdisc del dev ra ingress
done
all_named
