# SPDX-License-Identifier: GPL-2.0
# tap.sh - tcpdump as the witness of the packets on a device, and functions that compare a recording with it
# shellcheck disable=SC2154 # lib.sh or the test sets the other variables.

# Run everything on one CPU. If packets were on two CPUs at the same time, the trace and tcpdump could
# disagree on their order.
taskset -cp 0 $$ >/dev/null

taps=()

# tap NAMESPACE DEVICE [EXPRESSION]: start to capture packets to $OUT/NAMESPACE.DEVICE.pcap
tap() {
	local file=$OUT/$1.$2
	ip netns exec "$1" tcpdump -i "$2" -s 160 -U --immediate-mode -w "$file.pcap" "${@:3}" 2>"$file.tcpdump" &
	taps+=($!)
	at_exit stop $!
	wait_for "tcpdump on $2" grep -q 'listening on' "$file.tcpdump"
}

# taps_end: wait until all captures have written all packets so far, and end them
taps_end() {
	local pid
	for pid in "${taps[@]}"; do
		capture_ends "$pid"
	done
	taps=()
	! cat "$OUT"/*.tcpdump | grep -q '^[1-9][0-9]* packets dropped by kernel' || fail \
		"tcpdump lost packets"
}

# read_trace TRACE: write the reports of TRACE to $OUT/raw and $OUT/report. trace-cmd prints some addresses
# as text with a newline: those whose first two bytes are AF_INET6. Replace this newline.
read_trace() {
	trace-cmd report -R -i "$1" | sed ':more; / [sd]addr=$/ { N; s/\n/IPV6/; b more }' >"$OUT/raw"
	trace-cmd report -i "$1" >"$OUT/report"
}

# seen_by POINT [DEVICE]: print the packets at a probe point, one on each line. With DEVICE, print only those
# on DEVICE.
seen_by() {
	awk -v func="$1" -v dev="${2:-}" -v "padded=${padded:-}" \
		-f "$here/rows.awk" -f "$here/recorded.awk" "$OUT/report" "$OUT/raw"
}

# tapped NAMESPACE DEVICE EXPRESSION: print the packets that tcpdump saw, in the same format as seen_by
tapped() {
	tcpdump -r "$OUT/$1.$2.pcap" -nn -t -x "$3" 2>/dev/null |
		awk -v "padded=${padded:-}" -f "$here/rows.awk" -f "$here/tapped.awk"
}

# as_tapped POINT NAMESPACE DEVICE EXPRESSION: compare two lists: the packets at POINT on DEVICE, and the
# packets that tcpdump saw on DEVICE and that match EXPRESSION. They must be the same packets in the same
# order. Set $tapped to their number.
as_tapped() {
	seen_by "$1" "$3" >"$OUT/seen"
	tapped "$2" "$3" "$4" >"$OUT/tapped"
	tapped=$(wc -l <"$OUT/tapped")
	[ "$tapped" != 0 ] || fail "tcpdump saw no packet of \"$4\" on $3"
	diff "$OUT/tapped" "$OUT/seen" >&2 || fail "the packets at $1 (>) differ from those of tcpdump on $3 (<)"
	ok "$1: the $tapped packets that tcpdump saw on $3, in this order"
}

# only PATTERN: check that PATTERN matches the line of each packet and each call in the trace
only() {
	local others
	others=$(grep -E ' (packet|call): ' "$OUT/report" | grep -Ev -m 3 -e "$1") || return 0
	fail "something else was recorded: $others"
}

# over PORT: wait until B has no connection on PORT, because the last packets are sent after the client has
# exited
over() {
	until [ -z "$(ip netns exec B ss -Htan state connected "sport = :$1")" ]; do
		sleep 0.1
	done
}
export -f over

# numbers_at POINT [PATTERN]: take the lines of packets at POINT that match PATTERN. Print the numbers of
# these packets, sorted.
numbers_at() {
	sed -nE "s/.* packet: *#([0-9]*) ($1) (.*)/\1 \3/p" "$OUT/report" |
		{ grep -E -e "${2:-}" || :; } | cut -d ' ' -f 1 | sort -nu
}

# same POINT PATTERN [WHERE]: check that the numbers of the packets at POINT that match PATTERN are $numbers
same() {
	is "$(numbers_at "$1" "$2")" "$numbers" "the same numbers at $1 (${3:-$2})"
}
