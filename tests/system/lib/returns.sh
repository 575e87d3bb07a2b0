# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# returns.sh - recordings of single packets, and the return values of their probe points
#
# shellcheck disable=SC2154 # lib.sh sets the variables.

two_namespaces
traffic=$(program traffic)
# Permanent neighbours and no IPv6: no ARP packet or router solicitation may take a place in the queue.
neighbours_known
in_a sysctl -q net.ipv6.conf.va.disable_ipv6=1

# send COUNT PORT: send packets from a raw socket, which has no port, so that no socket call matches the
# filter
send() {
	local i
	for ((i = 0; i < $1; i++)); do
		"$traffic" spoil udp 10.9.0.2 "$2"
	done
}
export -f send
export traffic OUT

# record SCRIPT OPTIONS…: record the SCRIPT in $OUT. For each function and value that it returned to a gate, write a line
# to $OUT/returns: "FUNCTION NUMBER NAME TIMES", with the value as a number and as a name.
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
