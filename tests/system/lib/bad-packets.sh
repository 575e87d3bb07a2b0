# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# bad-packets.sh - record packets that are dropped, beside equal packets to other ports, and check the reasons
#
# shellcheck disable=SC2154 # lib.sh sets the variables.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

two_namespaces
traffic=$(program traffic)

# count FILE GROUP NAME: print the counter NAME of B's kernel, from GROUP in /proc/net/FILE
count() {
	in_b awk -v group="$2:" -v name="$3" '$1 == group && !at { for (i = 2; i <= NF; i++) if ($i == name) at = i; next }
		$1 == group && at { print $at; at = 0 }' "/proc/net/$1"
}

# exchange COMMAND…: run bad(), and then send numbered packets. Print which numbered packets arrived.
# COMMAND starts all of this; it is env or a recorder.
exchange() {
	delivered B 9005 in_a "$@" bash -c '
		. "$0"; for prefix in $1; do bad $prefix; done
		"$traffic" number 10.9.0.2 9005 20' "$OUT/command" "$bad"
}
wanted="received 20, late 0, twice 0"

# record_drops: send the packets of bad() twice: first without a recording, and then during a recording,
# together with packets that do not match
record_drops() {
	export traffic
	bad=7
	is "$(exchange env)" "$wanted" "without recording"
	before_recording
	bad="7 9 7"
	is "$(exchange trace-cmd record-skb "${few[@]}" -l 'udp*' -o "$OUT/trace.dat" 'dst portrange 9001-9005' --)" "$wanted" \
		"recorded"
	nothing_lost "$OUT/said"
	balanced "$OUT/trace.dat"
	read_trace "$OUT/trace.dat"
	# The receiver's own calls are also recorded. They have no peer.
	only '> 10\.(9\.0\.2|77\.0\.1):900[1-5] | call: .* udp 0\.0\.0\.0:9005 > '
}
before_recording() {
	:
}

# dropped REASON: print the numbers of the packets that were dropped for REASON
dropped() {
	sed -n "s/.* drop: *#\([0-9]*\) dropped at [^ ]* reason=$1 .*/\1/p" "$OUT/report" | sort -n
}
# drops REASON PORT COUNT PLACE: check that COUNT packets to PORT were dropped for REASON in PLACE
drops() {
	local numbers
	numbers=$(dropped "$1")
	is "$(grep -c . <<<"$numbers")" "$3" "drops for $1"
	[ -z "$(comm -23 <(sort <<<"$numbers") <(numbers_at ip_rcv ":$2 " | sort))" ] || fail \
		"$1: a packet of another port"
	has "$(grep " drop: .*reason=$1 " "$OUT/report")" "dropped at ($4)\+0x" "the place that drops for $1"
}

# listed REASON…: check that report-skb's table has a packet that was dropped for each REASON
listed() {
	local reason
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
	for reason; do
		has "$(cat "$OUT/packets")" ":900[1-4] .*dropped .*$reason" "report-skb knows $reason"
	done
}
