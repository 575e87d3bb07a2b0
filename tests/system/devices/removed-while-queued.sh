#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: removing veth, vxlan, a bridge or a namespace is not delayed by matching packets that wait in its queues
# requires: tc
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
#          C (10.7.0.1) vc --- vd (10.7.0.2) D, removed while packets wait

. "$(dirname "$0")/../lib/lib.sh"
. "$here/queued-packets.sh"

gone() {
	! ip netns list | grep -qE '^[CD]\b' && [ "$(lsns -t net -n | wc -l)" -le "$namespaces" ]
}
namespaces=$(lsns -t net -n | wc -l)

recording_begins
pair
queued vc
ip -n C link del vc
traffic_goes_on "without veth"
no_pair

pair
# A bridge with multicast snooping would join a group, and so send an eleventh packet.
ip -n C link add br0 type bridge mcast_snooping 0
ip -n C -batch - <<-END
	link set vc master br0
	address flush dev vc
	address add 10.7.0.1/24 dev br0
	link set br0 up
	neighbour add 10.7.0.2 lladdr $(ip netns exec D cat /sys/class/net/vd/address) dev br0
END
queued br0
ip -n C link del br0
traffic_goes_on "without the bridge"
no_pair

pair
ip -n C link add vxlan0 type vxlan id 42 remote 10.7.0.2 dstport 4789 dev vc
ip -n C -batch - <<-END
	link set vxlan0 up
	route add 10.7.0.2/32 dev vxlan0
	neighbour add 10.7.0.2 lladdr 02:00:00:00:00:42 dev vxlan0
END
queued vxlan0
ip -n C link del vxlan0
traffic_goes_on "without vxlan"
no_pair

pair
queued vc
ip netns del D
ip netns del C
traffic_goes_on "without the namespaces"
wait_for "the end of all namespaces" gone
recording_ends 40
