#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the closing line of a graph names what its probe point returned: dropped, congested, no buffer, not allowed
# requires: nft socat
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"

two_namespaces
traffic=$(program traffic)
# Permanent neighbours and no IPv6: no ARP packet or router solicitation may take a place in the queue.
neighbours_known
in_a sysctl -q net.ipv6.conf.va.disable_ipv6=1

# B refuses packets from addresses that it would not route back to, and packets to ports 9001 and 7000.
in_b sysctl -q net.ipv4.conf.all.rp_filter=1 net.ipv4.conf.vb.rp_filter=1
in_a ip address add 10.66.0.1/32 dev lo
in_b ip link add elsewhere type dummy
in_b ip address add 10.66.0.2/24 dev elsewhere
in_b ip link set elsewhere up
in_b nft -f - <<END
table inet no {
	counter no { }
	chain in {
		type filter hook prerouting priority 0;
		udp dport 9001 counter name no drop
		udp dport 7000 drop
	}
}
END

# count NAME: print a TcpExt counter of B
count() {
	in_b awk -v name="$1" '$1 == "TcpExt:" && !at { for (i = 2; i <= NF; i++) if ($i == name) at = i; next }
		$1 == "TcpExt:" { print $at }' /proc/net/netstat
}
# send COUNT PORT: send packets that belong to no socket that would itself be recorded
send() {
	local i
	for ((i = 0; i < $1; i++)); do
		"$traffic" spoil udp 10.9.0.2 "$2"
	done
}
# dropped: print how many packets A's queue dropped, as tc counts them
dropped() {
	tc -s qdisc show dev va | sed -n 's/.*(dropped \([0-9]*\),.*/\1/p' | tail -n 1
}
export -f send dropped
export traffic OUT

cat >"$OUT/received" <<'END'
send 2 9000
send 3 9001
ip route add 10.9.0.2/32 dev va src 10.66.0.1
send 4 9002
ip route del 10.9.0.2/32
END
cat >"$OUT/sent" <<'END'
send 2 9000
# The queue has room for two packets that wait long. The others are dropped.
tc qdisc add dev va root netem delay 100000ms limit 2
send 5 9003
echo | socat - UDP:10.9.0.2:9004,ip-recverr=1 2>"$OUT/socat"
dropped >"$OUT/dropped"
tc qdisc del dev va root
# This queue drops another packet of the same flow to make room. Hardly any packet leaves it.
tc qdisc add dev va root handle 1: tbf rate 100bit burst 1600 limit 1600
tc qdisc add dev va parent 1: handle 2: pfifo_head_drop limit 1
"$traffic" number 10.9.0.2 7000 45
dropped >"$OUT/before"
send 3 9005
dropped >"$OUT/congested"
tc qdisc del dev va root
END

# record COMMAND ARGS…: record COMMAND. Write a line "FUNCTION NUMBER NAME TIMES" for each return value of a
# gate to $OUT/returns.
record() {
	in_a trace-cmd record-skb "${few[@]}" -l '__netif_receive_skb*' -o "$OUT/trace.dat" "${@:2}" \
		'dst portrange 9000-9005' -- bash "$OUT/$1" 2>"$OUT/said" || fail "$(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	balanced "$OUT/trace.dat"
	read_trace "$OUT/trace.dat"
	awk -f "$top/tests/unit/reading/returns.awk" "$OUT/report" | sort | uniq -c | awk '{ print $2, $3, $4, $1 }' >"$OUT/returns"
	cat "$OUT/returns"
}
# returned FUNCTION NUMBER NAME TIMES: check this line of $OUT/returns
returned() {
	is "$(grep "^$1 $2 " "$OUT/returns")" "$*" "$1 returned $2"
}

# Record only the receiving side: otherwise it would be a part of the graph of sending.
rp_filtered=$(count IPReversePathFilter)
record received --direction rx
is "$(packets_of B inet no no)" 3 "packets that nft dropped"
returned __netif_receive_skb -1 -EPERM 3
is "$(($(count IPReversePathFilter) - rp_filtered))" 4 "packets that came from the wrong side"
returned __netif_receive_skb 1 NET_RX_DROP 4
returned __netif_receive_skb 0 NET_RX_SUCCESS 2
has "$(grep -B 3 'NET_RX_DROP \*/' "$OUT/report")" 'return: +#[0-9]+ __netif_receive_skb = 1$' \
	"the line follows the event"

record sent
# Five datagrams and one from socat were sent, and two had room.
is "$(cat "$OUT/dropped")" 4 "packets that the queue dropped"
returned ip_output 1 NET_XMIT_DROP 3
has "$(cat "$OUT/socat")" 'No buffer space available' "the error that socat prints"
has "$(cat "$OUT/returns")" '^[a-z_]*(send|write)[a-z_]* -105 -ENOBUFS 1$' "the return value of its call"
# On a busy machine one of the three may find that a packet has left the queue.
congested=$(($(cat "$OUT/congested") - $(cat "$OUT/before")))
[ "$congested" -ge 1 ] || fail "the other queue dropped nothing"
returned ip_output 2 NET_XMIT_CN "$congested"
has "$(cat "$OUT/returns")" '^ip_output 0 NET_XMIT_SUCCESS ' "the other packets were sent"
