#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --bytes names the right calls or none with UDP batches, peeks, short buffers, shared sockets, IPv6 options, GSO, and UDP-Lite
# requires: jq
# tags: slow
# timeout: 200

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/bytes.sh"

program=$(program odd_datagrams)

# rows CASE FILTER: record the case CASE of the program. From each row of --bytes, print what the jq filter
# FILTER selects. In FILTER, $pid is the PID of the sender.
rows() {
	dir=$OUT/$1
	mkdir -p "$dir"
	is "$(status_of trace-cmd record-skb -b 10000 -o "$dir/trace.dat" --detail path -p 9100 -- \
		sh -c "echo \$\$ >$dir/pid; exec \"\$@\"" sh "$program" "$1" 9100)" 0 "$1"
	has "$(cat "$OUT/stderr")" ' 0 lost$' "$1: no entries are lost"
	trace-cmd report-skb -i "$dir/trace.dat" --bytes --json >"$dir/json" 2>"$dir/said"
	matches_schema "$dir/json" "$1"
	jq -r --argjson pid "$(cat "$dir/pid")" "select(.type == \"bytes\") | $2" "$dir/json" >"$dir/rows"
}

# The report must have a row for each of the 20 datagrams. Each row must name the sending process, and a
# different process as the reader.
both='[.to - .from, (.write.pid == $pid and .write.to - .write.from == .to - .from),
	(.read.pid != null and .read.pid != $pid and .read.to - .read.from == .to - .from), .peeks] | join(" ")'

ip link set lo up
for name in plain batch peek short shared options; do
	rows "$name" "$both"
	is "$(sort -n "$dir/rows" | sed 's/ [0-9]*$//')" "$(seq -f '%g true true' 101 120)" "$name: datagrams"
done

# With GSO and GRO, one call writes or reads several datagrams. A row of the report may name no call, but
# must not name a wrong call.
for name in gso gro; do
	rows "$name" '[.to - .from, .write.pid // "-", (.write.to // 0) - (.write.from // 0), .read.pid // "-", (.read.to // 0) - (.read.from // 0)] |
		join(" ")'
	cat "$dir/rows"
	awk -v pid="$(cat "$dir/pid")" '
		{ bytes += $1; bad = bad || ($2 != "-" && $2 != pid) || ($4 != "-" && $4 == pid) || ($4 != "-" && $5 != $1) }
		END { exit bad || bytes != 1000 }' "$dir/rows" || fail "$name: the rows are wrong"
done

# The newest kernels do not have UDP-Lite.
if perl -MSocket -e 'exit !socket my $s, PF_INET, SOCK_DGRAM, 136'; then
	rows lite "$both"
	grep -v ' true true ' "$dir/rows" && fail "UDP-Lite: a row is wrong"
fi

# The program uses Unix sockets, too. Their data must not appear in rows.
rows unix "$both"
is "$(cat "$dir/rows")" "101 true true 0" "local sockets"
