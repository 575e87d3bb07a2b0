#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: an unanswered request ends the ring even if the same addresses and ports are answered in another namespace, with a capture, and behind NAT
# requires: nc nft socat tcpdump
# tags: slow
# timeout: 240

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B
#          C (10.9.0.1) vc --- vd (10.9.0.254) D, with the addresses of A and R

. "$(dirname "$0")/../lib/lib.sh"
. "$here/ring.sh"
. "$here/tap.sh"

three_namespaces
traffic=$(program traffic)

# The router forwards requests from A to 10.9.0.254:9000 to port 53 of B. It replaces A's address by its
# own. B answers requests that begin with "late" four seconds later.
ip netns exec R nft -f - <<-END
	table ip t {
		chain in { type nat hook prerouting priority dstnat; ip daddr 10.9.0.254 udp dport 9000 dnat to 10.8.0.2:53; }
		chain out { type nat hook postrouting priority srcnat; oifname "rb" masquerade; }
	}
END
background in_b socat -t 10 UDP-RECVFROM:53,fork SYSTEM:'read -r word; [ "$word" != late ] || sleep 4; echo "$word"'
wait_for "B's port" udp_listening B 53

# C and D have the same addresses as A and R, but no router follows D. D always answers the requests of C.
for ns in C D; do
	ip netns add $ns
	at_exit ip netns del $ns
done
ip link add vc netns C type veth peer name vd netns D
ip -n C addr add 10.9.0.1/24 dev vc
ip -n D addr add 10.9.0.254/24 dev vd
ip -n C link set vc up
ip -n D link set vd up
wait_for "the way from C to D" ip netns exec C ping -c 1 -W 1 10.9.0.254
background ip netns exec D socat -t 10 UDP-RECVFROM:9000,fork SYSTEM:'read -r word; echo "$word"'
wait_for "D's port" udp_listening D 9000

# ask NAMESPACE WORD: send WORD as a request, and print the answer. All requests have the same source port,
# which is lower than the destination port.
ask() {
	echo "$2" | ip netns exec "$1" timeout --preserve-status 30 nc -u -W 1 -p 4242 10.9.0.254 9000
}

background ip netns exec A tcpdump -i any -w "$OUT/any" udp
tap A va udp port 9000

# late_ones: print how many requests with a late answer have left A, as captured by tcpdump
late_ones() {
	tcpdump -nAr "$OUT/A.va.pcap" 'src host 10.9.0.1' 2>/dev/null | grep -c late
}

asked=0
ring_filter=(udp and '(port 9000 or port 53)')
for ring_detail in path net; do
	rm -f "$OUT/trace.dat"
	ring --ring 8M --until unanswered=2s
	for ns in A C A C; do
		is "$(ask $ns quick)" quick "$ring_detail: $ns is answered"
	done
	is "$(cat "$tracing/tracing_on") $(grep -c '^ended' "$OUT/said" || :)" "1 0" "$ring_detail: the ring continues"
	ask A late >"$OUT/answer" &
	late=$!
	asked=$((asked + 1))
	wait_for "the request" eval '[ "$(late_ones)" = $asked ]'
	for _ in 1 2 3; do
		ask C quick >/dev/null
	done
	ring_ended 0
	has "$(cat "$OUT/said")" '^ended by --until: #[0-9]+ had no answer in time$' "$ring_detail: what ended it"
	number=$(ended_by "$OUT/trace.dat" "had no answer in time")
	has "$(cat "$OUT/packets")" "^ *$number .*udp 10\\.9\\.0\\.1:4242 > 10\\.9\\.0\\.254:9000 .*va@" "$ring_detail: #$number is A's, not C's"
	has "$(trace-cmd report-skb -i "$OUT/trace.dat" --packet "$number" 2>/dev/null)" '10\.8\.0\.2:53' "$ring_detail: the packet went to B"
	wait $late
	is "$(cat "$OUT/answer")" late "$ring_detail: the answer comes later"
done
