# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# bridge.sh - a bridge with three ports, broadcasts of A, and connections from A to B
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1) va --- sa
#          B (10.9.0.2) vb --- sb   sa, sb and sc are ports of br0 in S
#          C (10.9.0.3) vc --- sc

# A, B and C are attached to a bridge in S. In S, sa is the device that leads to A, sb to B, and sc to C.
for ns in S A B C; do
	ip netns add $ns
	at_exit ip netns del $ns
done
ip -n S link add br0 type bridge
ip -n S link set br0 up
n=0
for ns in A B C; do
	n=$((n + 1))
	end=${ns,}
	ip link add "v$end" netns $ns type veth peer name "s$end" netns S
	ip -n S link set "s$end" master br0 up
	ip -n $ns -batch - <<-END
		link set lo up
		address add 10.9.0.$n/24 broadcast 10.9.0.255 dev v$end
		link set v$end up
	END
done
for n in 2 3; do
	wait_for "the bridge's ports" in_a ping -c 1 -W 1 10.9.0.$n
done

traffic=$(program traffic)
count=40
echo_server B 9000 7001

# collected COMMAND…: run a program in A that sends broadcasts, and print the broadcasts that B and C
# receive. COMMAND starts the program; it is env or a recorder.
collected() {
	local ns collectors=()
	for ns in B C; do
		ip netns exec $ns "$traffic" collect 9000 >"$OUT/came.$ns" &
		collectors+=($!)
		at_exit stop $!
		wait_for "the collector" eval "ip netns exec $ns ss -Hlun 'sport = :9000' | grep -q ."
	done
	in_a "$@" bash -c '"$0" number 10.9.0.255 7000 10 && "$0" number 10.9.0.255 9000 '$count' &&
		"$0" talk 10.9.0.2 3 9000 7001 && over 9000' "$traffic" 2>"$OUT/said" || fail "$*: $(cat "$OUT/said")"
	wait "${collectors[0]}"
	wait "${collectors[1]}"
	cat "$OUT/came.B" "$OUT/came.C"
}

wanted="received $count, late 0, twice 0
received $count, late 0, twice 0"

# record_bridged TAP…: record the traffic. Each TAP is NAMESPACE.DEVICE, on which tcpdump captures packets.
record_bridged() {
	local tap
	for tap; do
		tap "${tap%.*}" "${tap#*.}"
	done
	is "$(collected trace-cmd record-skb "${few[@]}" -l 'br_*' -l 'udp*' -b 16384 -o "$OUT/trace.dat" port 9000 --)" "$wanted" "recorded"
	taps_end
	nothing_lost "$OUT/said"
	balanced "$OUT/trace.dat"
	read_trace "$OUT/trace.dat"
	only ':9000 '
}
