#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if no packet matched, hints name the nearest socket, and the packets that were seen instead
# tags: long
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B; and a namespace "quiet" with one device

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
record() {
	status_of in_a trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" "$@"
}

is "$(record -p 9 -- true)" 0 "no packet"
has "$(cat "$OUT/stderr")" '^0 packets matched' "the summary"
has "$(cat "$OUT/stderr")" "tcpdump -n -i any \"port 9\"" "the suggested command"
has_not "$(cat "$OUT/stderr")" 'still run' "no message about children"

# The command connects a datagram socket and sends nothing. So a socket call matches, but no packet.
is "$(record -p 9 -- bash -c 'exec 3<>/dev/udp/10.9.0.2/9')" 0 "a call and no packet"
has "$(cat "$OUT/stderr")" '^0 packets matched' "no packet"
has "$(cat "$OUT/stderr")" '^[1-9][0-9]* socket calls? matched, but no packet: nothing was sent' "its calls"
has "$(cat "$OUT/stderr")" "^is there such a packet\? 'tcpdump -n -i any \"port 9\"'" "the suggested command"
# The command sends a packet, which --direction rx leaves out.
is "$(record -p 9 --direction rx --no-icmp-errors --netns A -- bash -c 'echo >/dev/udp/10.9.0.2/9')" 0 "the packet is left out"
has "$(cat "$OUT/stderr")" '^[1-9][0-9]* socket calls? matched, but no packet' "calls without their packet"
has "$(cat "$OUT/stderr")" '^each of -i, --netns, --mark, --where, --sample and --direction leaves packets out' "why it may be left out"

# ip_of NAMESPACE: print how many IP packets the kernel has counted in NAMESPACE. The summary of a recording
# must show this number of packets. The summary must also name the socket that is most similar to the
# filter.
ip_of() { # NAMESPACE
	ip netns exec "$1" cat /proc/net/snmp /proc/net/snmp6 | awk '$1 == "Ip:" && $2 ~ /^[0-9]/ { n += $4 + $11 }
		$1 == "Ip6InReceives" || $1 == "Ip6OutRequests" { n += $2 } END { print n }'
}
server B 9000
is "$(record -p 9000 --netns A -- true)" 0 "no packet in a namespace"
has "$(cat "$OUT/stderr")" '^a socket with that port is in network namespace B$' "the nearest miss: another namespace"
before=$(ip_of A)
{
	wait_for "the recording" [ -e "$OUT/going" ]
	in_a socat -u OPEN:/dev/null TCP:10.9.0.2:9000
	in_a ping -q -c 3 -i 0.2 10.9.0.2
	touch "$OUT/done"
} >/dev/null &
is "$(record -p 9001 --host 10.9.0.2 -- sh -c "touch $OUT/going; until [ -e $OUT/done ]; do sleep 0.1; done")" 0 "no packet of a port"
counted=$(sed -n 's/^in that time, IP had \([0-9]*\) packets here$/\1/p' "$OUT/stderr")
# The pings make six packets, and so does the connection.
[ "${counted:-0}" -ge 12 ] && [ "$counted" -le $(($(ip_of A) - before)) ] || fail "packets that did not match: $(cat "$OUT/stderr")"
ok "packets that did not match are counted: $counted"
has "$(cat "$OUT/stderr")" "^in that time, IP had [0-9]+ packets in network namespace B$" "packets of the other namespace"
has "$(cat "$OUT/stderr")" '^no socket of this machine has that host and port now; with that host there is port 9000$' "the closest socket has another port"

# No host has the address that is pinged here, so only ARP packets are sent. The counter of the device
# includes ARP packets.
ip netns add quiet
at_exit ip netns del quiet
in_quiet() {
	ip netns exec quiet "$@"
}
received() {
	in_quiet cat /sys/class/net/asked/statistics/rx_packets
}
for ns in A quiet; do
	ip netns exec $ns sysctl -q net.ipv6.conf.default.disable_ipv6=1
done
ip -n A link add asks type veth peer name asked netns quiet
ip -n A address add 10.8.0.1/24 dev asks
ip -n A link set asks up
ip -n quiet link set asked up
before=$(received)
is "$(record 'tcp port 9001' -- sh -c 'ping -q -c 1 -W 1 10.8.0.9; until ip neigh show 10.8.0.9 | grep -q FAILED; do sleep 0.1; done')" 0 \
	"a ping of an unused address"
asked=$(($(received) - before))
[ "$asked" -ge 1 ] || fail "no ARP request was sent"
has "$(cat "$OUT/stderr")" "^devices received $asked in network namespace quiet, but IP saw none of them: another protocol, XDP" \
	"packets below IP are counted"
