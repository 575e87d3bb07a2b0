#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: veth, vxlan, a bridge and a namespace are removed while matching packets wait in their queues: everything is removed without delay
# requires: tc
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
#          C (10.7.0.1) vc --- vd (10.7.0.2) D, removed while packets wait

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
echo_server B 9000
background_stream

# pair: create C and D, connected by veth. Packets from C to D's port 9000 wait on vc for half a minute.
pair() {
	ip netns add C
	ip netns add D
	ip netns exec C sysctl -q net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
	ip netns exec D sysctl -q net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
	ip link add vc netns C type veth peer name vd netns D
	ip -n C -batch - <<-END
		address add 10.7.0.1/24 dev vc
		link set vc up
		neighbour add 10.7.0.2 lladdr $(ip netns exec D cat /sys/class/net/vd/address) dev vc
	END
	ip -n D -batch - <<-END
		address add 10.7.0.2/24 dev vd
		link set vd up
	END
}
no_pair() {
	ip netns del C 2>/dev/null || :
	ip netns del D 2>/dev/null || :
}
at_exit no_pair

# queued DEVICE: send ten matching packets from C that wait in the queue of DEVICE.
queued() {
	ip netns exec C tc qdisc replace dev "$1" root netem delay 30s
	ip netns exec C bash -c 'for i in 1 2 3 4 5 6 7 8 9 10; do echo x >/dev/udp/10.7.0.2/9000; done'
	has "$(ip netns exec C tc -s qdisc show dev "$1")" 'backlog [0-9]+b 10p' "ten packets wait on $1"
}

gone() {
	! ip netns list | grep -qE '^[CD]\b' && [ "$(lsns -t net -n | wc -l)" -le "$namespaces" ]
}
namespaces=$(lsns -t net -n | wc -l)

trace-cmd record-skb "${few[@]}" -l 'udp*' -b 16384 -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
recording=$!
wait_for "the recording" armed

pair
queued vc
ip -n C link del vc
traffic_goes_on "without veth"
no_pair

pair
# A bridge that snoops would join a multicast group and send an eleventh packet.
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

kill -INT $recording
status=0
wait $recording || status=$?
is "$status" 0 "the recording ends"
stream_ends
has_not "$(dmesg)" 'waiting for .* to become free' "messages about devices that cannot be freed"

# The recording has the queued packets. They were neither delivered nor sent.
trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
waited=$(grep '> 10\.7\.0\.2:9000 ' "$OUT/packets")
[ "$(wc -l <<<"$waited")" -ge 40 ] || fail "only $(wc -l <<<"$waited") of 40 packets are in the recording"
has_not "$waited" 'delivered|forwarded' "queued packets with a wrong verdict"
