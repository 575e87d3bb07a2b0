# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# queued-packets.sh - namespaces C and D, which are removed while matching packets wait in a queue, and a
# stream from A to B
#
# shellcheck disable=SC2154 # lib.sh sets the variables.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
#          C (10.7.0.1) vc --- vd (10.7.0.2) D, removed while packets wait

two_namespaces
echo_server B 9000
background_stream

# pair: create C and D, connected by veth. Packets from C to port 9000 of D wait in the queue of vc for half a
# minute.
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

# queued DEVICE: send ten matching packets from C, which wait in the queue of DEVICE
queued() {
	ip netns exec C tc qdisc replace dev "$1" root netem delay 30s
	ip netns exec C bash -c 'for i in 1 2 3 4 5 6 7 8 9 10; do echo x >/dev/udp/10.7.0.2/9000; done'
	has "$(ip netns exec C tc -s qdisc show dev "$1")" 'backlog [0-9]+b 10p' "ten packets wait on $1"
}

recording_begins() {
	trace-cmd record-skb "${few[@]}" -l 'udp*' -b 16384 -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
	recording=$!
	wait_for "the recording" armed
}

# recording_ends COUNT: end the recording. Check that COUNT of its packets were queued, and neither delivered
# nor sent.
recording_ends() {
	local status=0 waited
	kill -INT "$recording"
	wait "$recording" || status=$?
	is "$status" 0 "the recording ends"
	stream_ends
	has_not "$(dmesg)" 'waiting for .* to become free' "messages about devices that cannot be freed"
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
	waited=$(grep '> 10\.7\.0\.2:9000 ' "$OUT/packets")
	[ "$(wc -l <<<"$waited")" -ge "$1" ] || fail "only $(wc -l <<<"$waited") of $1 packets are in the recording"
	has_not "$waited" 'delivered|forwarded' "queued packets with a wrong verdict"
}
