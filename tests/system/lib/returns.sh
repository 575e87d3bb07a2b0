# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# returns.sh - recordings of single packets, and the return values of their probe points
#
# shellcheck disable=SC2154 # lib.sh sets the variables.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

two_namespaces
traffic=$(program traffic)
# The tests count packets in a queue, so no other packet may enter it. Permanent neighbours avoid ARP packets. Without
# IPv6, the kernel sends no router solicitations.
neighbours_known
in_a sysctl -q net.ipv6.conf.va.disable_ipv6=1

# send COUNT PORT: send packets to PORT from a raw socket. This socket has no port, so its calls do not match
# the filter.
send() {
	local i
	for ((i = 0; i < $1; i++)); do
		"$traffic" spoil udp 10.9.0.2 "$2"
	done
}
export -f send
export traffic OUT

# record SCRIPT OPTIONS…: record the script $OUT/SCRIPT. For each return value of each probed function, write a line
# "FUNCTION NUMBER NAME TIMES" to $OUT/returns. NUMBER is the value, NAME is its name, and TIMES is how often the
# function returned it.
record() {
	in_a trace-cmd record-skb "${few[@]}" -l '__netif_receive_skb*' -o "$OUT/trace.dat" "${@:2}" \
		'dst portrange 9000-9005' -- bash "$OUT/$1" 2>"$OUT/said" || fail "$(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	balanced "$OUT/trace.dat"
	read_trace "$OUT/trace.dat"
	awk -f "$top/tests/unit/reading/returns.awk" "$OUT/report" | sort | uniq -c | awk '{ print $2, $3, $4, $1 }' >"$OUT/returns"
	cat "$OUT/returns"
}
# returned FUNCTION NUMBER NAME TIMES: check that $OUT/returns has this line
returned() {
	is "$(grep "^$1 $2 " "$OUT/returns")" "$*" "$1 returned $2"
}
