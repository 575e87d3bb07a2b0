# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# small-mtu.sh - a router with a small MTU, which fragments fragments again
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

three_namespaces
traffic=$(program traffic)
count=20
# A sends three fragments of each datagram. The router divides each of them into two or three.
size=4000
ip -n R link set rb mtu 1300
ip -n B link set vb mtu 1300
ip -n A -6 route change default via fd09::fe mtu 1300
# Unrelated traffic needs another destination than the matching datagrams, because two datagrams with the
# same destination could have the same IP identification. So use this second address of B.
ip -n B addr add 10.8.0.3/24 dev vb

# numbered POINT PATTERN: take the packets that were recorded at POINT and match PATTERN. For each of them,
# print its number and how often it was recorded there.
numbered() {
	sed -n "s/.* packet: *#\([0-9]*\) $1 \(.*\)/\1 \2/p" "$OUT/report" | grep -E -e "$2" | cut -d ' ' -f 1 | sort -n | uniq -c |
		awk '{ print $2, $1 }'
}
# each TIMES: print what numbered() must print if each sent packet was recorded TIMES times
each() {
	sed "s/$/ $1/" <<<"$sent"
}

# record_fragments PORT ADDRESS UNRELATED EXPRESSION: send datagrams from A to PORT of ADDRESS, together
# with unrelated fragments to port 7000 of UNRELATED. Do this twice: first without a recording, and then
# with a recording of EXPRESSION, while tcpdump captures at both ends.
record_fragments() {
	local wanted="received $count, late 0, twice 0"
	exchange() {
		delivered B "$port" in_a "$@" bash -c '"$0" number "$1" 7000 3 4000; "$0" number "$2" "$3" '"$count $size" \
			"$traffic" "$unrelated" "$address" "$port"
	}
	local port=$1 address=$2 unrelated=$3
	is "$(exchange env)" "$wanted" "without recording"
	tap A va
	tap B vb
	is "$(exchange trace-cmd record-skb "${few[@]}" -l 'ip6*' -l 'udp*' -b 16384 -o "$OUT/trace.dat" "$4" --)" "$wanted" "recorded"
	taps_end
	nothing_lost "$OUT/said"
	balanced "$OUT/trace.dat"
	read_trace "$OUT/trace.dat"
}
