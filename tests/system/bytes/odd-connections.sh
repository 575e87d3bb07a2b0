#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --bytes is exact with wrapped sequence numbers, old or garbage segments, crossing SYNs, or dup()
# requires: jq
# tags: slow
# timeout: 200

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/bytes.sh"

program=$(program odd_connections)

# record CASE: run CASE of odd_connections.c, and record it
record() {
	dir=$OUT/$1
	mkdir -p "$dir"
	is "$(status_of trace-cmd record-skb -b 20000 -o "$dir/trace.dat" --detail path -p 9100 -- \
		sh -c "exec \"\$@\" >$dir/log" sh "$program" "$1" 9100)" 0 "$1"
	has "$(cat "$OUT/stderr")" ' 0 lost$' "$1: no entries are lost"
	trace-cmd report-skb -i "$dir/trace.dat" --bytes --json >"$dir/json" 2>"$dir/said"
	matches_schema "$dir/json" "$1"
}

# compare PARTIAL: compare the report's calls for each range of bytes with the program's log. With PARTIAL 1,
# the report may lack calls, but must not name wrong ones.
compare() {
	pieces_of "$dir/json" '.stream' | awk '{ $1 = $1 "1" } 1' >"$dir/pieces"
	awk -v partial="$1" -v busy=1 -f "$(dirname "$0")/../lib/bytes.awk" "$dir/log" "$dir/pieces" ||
		fail "${dir##*/}: the pieces differ from the log"
	ok "${dir##*/}"
}

ip link set lo up
for name in wrap wrap-signed garbage duplicate dup; do
	record "$name"
	compare 0
done
[ "$(nstat -as TcpExtTCPRcvCoalesce TcpExtDelayedACKLost | awk '/DelayedACKLost/ { print $2 }')" -ge 4 ] ||
	fail "the old segments did not arrive"

# The recording has no SYN, so the report counts offsets from the first byte with a known call. In this case,
# that is the first byte of the connection.
record repair
sed -i 's/"begins":false/"begins":true/' "$dir/json"
compare 0

tc qdisc add dev lo root netem delay 50ms
record simultaneous
compare 0
tc qdisc del dev lo root

# The socket is connected to itself, so both directions have the same addresses and ports.
record self
compare 1
