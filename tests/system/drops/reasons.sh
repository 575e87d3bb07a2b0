#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: packets dropped by nftables, a full socket buffer, a wrong checksum, no route: exactly these, each with its reason
# requires: nft
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"

two_namespaces
traffic=$(program traffic)

# Port 9001: nftables drops. 9002: the socket is never read. 9003: wrong checksum. 9004: B, as a router, has no
# route. 9005: all packets are delivered. The same is sent to the ports from 7001 on, which the filter does not
# match.
in_b nft -f - <<END
table inet no {
	counter mine { }
	counter others { }
	chain in {
		type filter hook input priority 0;
		udp dport 9001 counter name mine drop
		udp dport 7001 counter name others drop
	}
}
END
background in_b "$traffic" hoard 9002 2304
background in_b "$traffic" hoard 7002 2304
for port in 9002 7002; do
	wait_for "the socket that nobody reads" udp_listening B $port
done
echo 1 | in_b tee /proc/sys/net/ipv4/ip_forward >/dev/null
in_a ip route add 10.77.0.0/16 via 10.9.0.2

# count FILE GROUP NAME: print a counter of B's kernel
count() {
	in_b awk -v group="$2:" -v name="$3" '$1 == group && !at { for (i = 2; i <= NF; i++) if ($i == name) at = i; next }
		$1 == group && at { print $at; at = 0 }' "/proc/net/$1"
}
dropped_by_nft() {
	packets_of B inet no "$1"
}

cat >"$OUT/command" <<'END'
# bad PREFIX: send packets of each kind, to the ports that begin with PREFIX
bad() {
	"$traffic" number 10.9.0.2 "$1"001 3
	"$traffic" number 10.9.0.2 "$1"002 10 1000
	"$traffic" spoil tcp 10.9.0.2 "$1"003
	"$traffic" spoil udp 10.9.0.2 "$1"003
	"$traffic" spoil udp 10.9.0.2 "$1"003
	"$traffic" number 10.77.0.1 "$1"004 0
}
END
export traffic
# exchange COMMAND…: run bad as the command of COMMAND, and print which packets arrived
exchange() {
	delivered B 9005 in_a "$@" bash -c '
		. "$0"; for prefix in $1; do bad $prefix; done
		"$traffic" number 10.9.0.2 9005 20' "$OUT/command" "$bad"
}
wanted="received 20, late 0, twice 0"
bad=7
is "$(exchange env)" "$wanted" "without recording"
tcp_csum=$(count snmp Tcp InCsumErrors)
udp_csum=$(count snmp Udp InCsumErrors)
no_route=$(count netstat IpExt InNoRoutes)
is "$tcp_csum $udp_csum $no_route" "1 2 5" "B's counters know the bad packets"

bad="7 9 7"
is "$(exchange trace-cmd record-skb "${few[@]}" -l 'udp*' -o "$OUT/trace.dat" 'dst portrange 9001-9005' --)" "$wanted" \
	"recorded"
nothing_lost "$OUT/said"
balanced "$OUT/trace.dat"
read_trace "$OUT/trace.dat"

# of_each COUNT WHAT: each kind was sent four times, and recorded once.
of_each() {
	[ "$1" -gt 0 ] && [ $(($1 % 4)) = 0 ] || fail "$2: $1 is not four times the same"
	echo $(($1 / 4))
}
mine=$(dropped_by_nft mine)
is "$mine" 8 "packets that nft dropped"
is "$(dropped_by_nft others)" 24 "and others"

# dropped REASON: print the numbers of the packets
dropped() {
	sed -n "s/.* drop: *#\([0-9]*\) dropped at [^ ]* reason=$1 .*/\1/p" "$OUT/report" | sort -n
}
# drops REASON PORT COUNT PLACE: check the packets dropped for REASON
drops() {
	local numbers
	numbers=$(dropped "$1")
	is "$(grep -c . <<<"$numbers")" "$3" "drops for $1"
	[ -z "$(comm -23 <(sort <<<"$numbers") <(numbers_at ip_rcv ":$2 " | sort))" ] || fail \
		"$1: a packet of another port"
	has "$(grep " drop: .*reason=$1 " "$OUT/report")" "dropped at ($4)\+0x" "the place that drops for $1"
}
drops NETFILTER_DROP 9001 8 'nf_hook_slow|nft_do_chain'
is "$(dropped NETFILTER_DROP)" "$(numbers_at ip_rcv ':9001 ')" "all that went to port 9001"
drops TCP_CSUM 9003 "$(of_each "$(count snmp Tcp InCsumErrors)" "wrong TCP checksums")" 'tcp_v4_rcv'
drops UDP_CSUM 9003 "$(of_each "$(count snmp Udp InCsumErrors)" "wrong UDP checksums")" '__udp4_lib_rcv|udp_rcv'
drops IP_INNOROUTES 9004 "$(of_each "$(count netstat IpExt InNoRoutes)" "packets without a route")" 'ip_error'
full=$(in_b awk '$2 ~ /:232A$/ { print $NF }' /proc/net/udp)
[ "$full" -ge 5 ] || fail "the socket's buffer was not full: $full"
drops SOCKET_RCVBUFF 9002 "$full" '__udp_enqueue_schedule_skb|udp_queue_rcv_one_skb|udp_queue_rcv_skb'
# The receiver's own call is recorded too, with no peer.
only '> 10\.(9\.0\.2|77\.0\.1):900[1-5] | call: .* udp 0\.0\.0\.0:9005 > '

# The packet's line in the table has the same reason.
trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
for reason in NETFILTER_DROP SOCKET_RCVBUFF TCP_CSUM UDP_CSUM IP_INNOROUTES; do
	has "$(cat "$OUT/packets")" ":900[1-4] .*dropped .*$reason" "report-skb knows $reason"
done
