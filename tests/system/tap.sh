# SPDX-License-Identifier: GPL-2.0
# tcpdump as the witness of what passes a device, and how to compare with it.
# shellcheck disable=SC2154 # What is not set here, lib.sh or the test has.

# All on one CPU: of packets that two CPUs have at the same time, the trace and tcpdump may each see another first.
taskset -cp 0 $$ >/dev/null

taps=()

# tap NAMESPACE DEVICE [EXPRESSION]: from now on, into $OUT/NAMESPACE.DEVICE.pcap
tap() {
	local file=$OUT/$1.$2
	ip netns exec "$1" tcpdump -i "$2" -s 160 -U --immediate-mode -w "$file.pcap" "${@:3}" 2>"$file.tcpdump" &
	taps+=($!)
	at_exit stop $!
	wait_for "tcpdump on $2" grep -q 'listening on' "$file.tcpdump"
}

# taps_end: all of them; they have what passed until now.
taps_end() {
	local pid
	for pid in "${taps[@]}"; do
		capture_ends "$pid"
	done
	taps=()
	! cat "$OUT"/*.tcpdump | grep -q '^[1-9][0-9]* packets dropped by kernel' || fail \
		"tcpdump lost packets"
}

# read_trace TRACE: as $OUT/raw and as $OUT/report. An address whose first two bytes are AF_INET6 is text to trace-cmd:
# a newline.
read_trace() {
	trace-cmd report -R -i "$1" | sed ':more; / [sd]addr=$/ { N; s/\n/IPV6/; b more }' >"$OUT/raw"
	trace-cmd report -i "$1" >"$OUT/report"
}

# seen_by POINT [DEVICE]: the packets it saw, a line each; of all devices, without DEVICE.
seen_by() {
	awk -v func="$1" -v dev="${2:-}" -v "padded=${padded:-}" \
		-f "$here/rows.awk" -f "$here/recorded.awk" "$OUT/report" "$OUT/raw"
}

# tapped NAMESPACE DEVICE EXPRESSION: those that tcpdump saw, as lines of the same kind
tapped() {
	tcpdump -r "$OUT/$1.$2.pcap" -nn -t -x "$3" 2>/dev/null |
		awk -v "padded=${padded:-}" -f "$here/rows.awk" -f "$here/tapped.awk"
}

# as_tapped POINT NAMESPACE DEVICE EXPRESSION: POINT saw on DEVICE exactly the packets that tcpdump saw there and that
# match EXPRESSION, in the same order. $tapped is how many.
as_tapped() {
	seen_by "$1" "$3" >"$OUT/seen"
	tapped "$2" "$3" "$4" >"$OUT/tapped"
	tapped=$(wc -l <"$OUT/tapped")
	[ "$tapped" != 0 ] || fail "tcpdump saw no packet of \"$4\" on $3"
	diff "$OUT/tapped" "$OUT/seen" >&2 || fail "what $1 saw (>) is not what tcpdump saw on $3 (<)"
	ok "$1: the $tapped packets that tcpdump saw on $3, in this order"
}

# only PATTERN: no packet or call in the trace but those whose line matches PATTERN
only() {
	local others
	others=$(grep -E ' (packet|call): ' "$OUT/report" | grep -Ev -m 3 -e "$1") || return 0
	fail "something else was recorded: $others"
}

# over PORT: wait until B has no connection of PORT any more: the last words come after the client has gone.
over() {
	until [ -z "$(ip netns exec B ss -Htan state connected "sport = :$1")" ]; do
		sleep 0.1
	done
}
export -f over

# numbers_at POINT [PATTERN]: the numbers of the packets that POINT saw, of those whose line matches PATTERN; sorted
numbers_at() {
	sed -nE "s/.* packet: *#([0-9]*) ($1) (.*)/\1 \3/p" "$OUT/report" |
		{ grep -E -e "${2:-}" || :; } | cut -d ' ' -f 1 | sort -nu
}
