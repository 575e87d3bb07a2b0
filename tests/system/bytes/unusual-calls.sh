#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --bytes names the right calls or none with unusual calls, shared sockets, urgent data and reused ports
# requires: jq
# tags: slow
# timeout: 300

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/bytes.sh"

program=$(program byte_cases)

# check CASE PARTIAL: record the case CASE of the program, and compare the report with the program's log.
# With PARTIAL 1, the report may lack some calls, but must not name wrong calls.
check() {
	local dir=$OUT/$1
	mkdir -p "$dir"
	is "$(status_of trace-cmd record-skb -b 30000 -o "$dir/trace.dat" --detail path -p 9100 -- \
		sh -c "exec \"\$@\" >$dir/log" sh "$program" "$1" 127.0.0.1 9100)" 0 "$1"
	has "$(cat "$OUT/stderr")" ' 0 lost$' "$1: no entries are lost"
	trace-cmd report-skb -i "$dir/trace.dat" --bytes --json >"$dir/json" 2>"$dir/said"
	matches_schema "$dir/json" "$1"
	# Several connections may use the same ports, so number them.
	number_streams "$dir/json" >"$dir/pieces"
	awk -v partial="$2" -v busy=1 -f "$(dirname "$0")/../lib/bytes.awk" "$dir/log" "$dir/pieces" ||
		fail "$1: the pieces differ from the log"
	ok "$1"
}

# number_streams JSON: print the ranges of bytes in the report. Several connections can have the same port.
# Their numbers are 1, 2 and so on, and the first field of a range is ten times the port plus this number.
number_streams() {
	pieces_of "$1" '.stream' | awk '!(($1, $10) in rank) { rank[$1, $10] = ++n[$1] } { $1 = 10 * $1 + rank[$1, $10]; print }'
}

ip link set lo up
sysctl -qw net.ipv4.tcp_fastopen=3
for name in half-open waitall rcvlowat trunc passed vmsplice wait-again; do
	check "$name" 0
done
for name in shut-reader shared-readers shared-writers urgent zerocopy-receive reset-again fast-open sockmap; do
	check "$name" 1
done
[ "$(jq -r 'select(.peeks > 0)' "$OUT/urgent/json")" = "" ] || fail "urgent: a piece was peeked at"
