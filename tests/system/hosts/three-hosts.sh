#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: with loss, duplicates, reordering and three clocks, report-skb gives each packet of three hosts one number, as its payload shows
# requires: jq tshark
# kernels: 6.12 newest
# timeout: 480

# Network: client (10.9.0.1) eth0 --- eth1 (10.9.0.254) router (10.8.0.254) eth2 --- eth0 (10.8.0.2) server

. "$(dirname "$0")/../lib/lib.sh"
. "$here/hosts.sh"
. "$here/joined.sh"
count=2000
cd "$OUT"
clocks=$(program clocks)
traffic=$(program traffic)
three_hosts 10 10 10
"$clocks" rate 200
at_exit "$clocks" rate 0

# The client's clock runs 200 ppm faster than the router's clock. The server's clock is decades ahead.
read -r mono1 raw1 tai1 _ < <("$clocks")
record_host client -C mono
record_host router -C mono_raw
record_host server -C tai
ip netns exec server "$traffic" collect 9000 >collected &
collector=$!
at_exit stop $collector
wait_for "the collector" udp_listening server 9000
# exchange: send pings. report-skb estimates the offset and the rate of the clocks from packets in both
# directions, before and after the numbered packets.
exchange() {
	ip netns exec client ping -q -i 0.05 -c 40 10.8.0.2 >/dev/null
}
exchange
ip netns exec client "$traffic" number 10.8.0.2 9000 $count
wait $collector || fail "the collector failed"
exchange
read -r mono2 raw2 tai2 _ < <("$clocks")
for host in client router server; do
	host_ends $host
	has "$(cat $host.said)" " 0 lost" "$host: nothing is lost"
done

files=(client.dat router.dat server.dat)
trace-cmd report-skb "${files[@]}" --summary >summary
trace-cmd report-skb "${files[@]}" --summary --json >summary.json
cat summary
[ "$(jq -r '[.hosts[].name] | join(" ")' summary.json)" = "client router server" ] || fail "the hosts have other names"

clock_within server $((mono1 - tai1)) 0
at=$(jq '.hosts[] | select(.name == "router") | .offset_at_ns' summary.json)
clock_within router $((mono1 - raw1 + ((mono2 - mono1) - (raw2 - raw1)) * (at - raw1) / (raw2 - raw1))) 0
echo "drift of the router: $(jq '.hosts[1].drift_ppm' summary.json) ppm; the clocks moved by $(((mono2 - mono1) - (raw2 - raw1))) ns in $((raw2 - raw1)) ns"
jq -e '.hosts[1] | .drift_ppm > 100 and .drift_ppm < 300' summary.json >/dev/null || fail "the drift is not 200 ppm"
[ "$((tai2 - mono2 - tai1 + mono1))" -lt 1000000 ] || fail "the witness is wrong"

# The payload of each packet has a number. In the report, packets with the same payload must have the same
# number, and packets with different payloads different numbers.
trace-cmd report-skb "${files[@]}" --pcap joined.pcapng udp port 9000 2>/dev/null
tshark -r joined.pcapng -Y 'udp.port == 9000' -T fields -e data.data -e frame.comment 2>/dev/null | payload_numbers >joined
is "$(cat joined)" "$count 0 0" "payloads, numbers with two payloads, payloads with two numbers"

# Each packet that the server did not receive was lost on a link. In the output of the collector, the number
# after "received" includes duplicates, so subtract the duplicates.
received=$(sed -n 's/^received \([0-9]*\), .*twice \([0-9]*\)$/\1 - \2/p' collected)
is "$(awk '/did not arrive at/ { lost[$1] } /delivered to a socket/ { got[$1] }
	END { for (n in lost) if (!(n in got)) k++; print k + 0 }' frames)" $((count - (received))) "packets that did not arrive"
has "$(cat summary)" "client > server: .* there, .* back \\(± .*\\), round trip on the wire " "the times between hosts"
trace-cmd report-skb "${files[@]}" --list --columns packet,path,verdict udp port 9000 >list 2>/dev/null
has "$(cat list)" " client: eth0 > router: eth1 > eth2 > server: eth0 .*delivered .* on server" "the path of a packet"

# Losses on the links are not drops of a host, and --why must say so.
has "$(trace-cmd report-skb "${files[@]}" --why udp port 9000 2>/dev/null)" \
	"^$((count - (received))) left a host and did not arrive at the next one: --list --verdict lost" "--why"

# With a wrong offset, all packets in one direction would arrive before they were sent, so report-skb must
# join no packet.
trace-cmd report-skb "${files[@]}" --offset server=-1 --summary --json |
	jq -e '.joined.before_sent > 0 and .hosts[2].clock == "given"' >/dev/null || fail "--offset"
