# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# bytes.sh - record TCP streams, and compare report-skb --bytes with what the programs have logged

bytes=$(program bytes)

# matches_schema JSON NAME: check that the output matches the JSON schema of report-skb
matches_schema() {
	# shellcheck disable=SC2154 # lib.sh sets top
	"$(program check-json)" "$top/report/report-skb.schema.json" <"$1" >"$OUT/denied" || fail "$2: $(cat "$OUT/denied")"
}

# pieces_of JSON [FIELD]: print a line for each range of bytes, in the format that bytes.awk reads. If the
# recording lacks the SYN, the offsets in the report differ from those in the log. Such ranges are printed
# only with SHIFTED=1, and only if the write and the read are both known.
pieces_of() {
	jq -r 'select(.type == "bytes" and (.begins or ($shifted == "1" and .write and .read)) and (.tls // false) == $tls and (.write != null or .read != null)) |
		[(.flow | capture("[.:](?<port>[0-9]+) > ").port), .from, .to,
		 .write.from // "-", .write.to // "-", .write.begun_ns // "-",
		 .read.from // "-", .read.to // "-", .read.ended_ns // "-", '"${2:-empty}"'] | join(" ")' --argjson tls "${TLS:-false}" --arg shifted "${SHIFTED:-}" "$1" | sort -s -n -k1,1 -k2,2
}

# knows_calls NAME: check that report-skb names the call of a byte if both events of the call are recorded,
# and no call otherwise. If the beginning of the stream was lost, report-skb may name no call for the first
# 100,000 bytes. The first known read may begin before the first known byte; its position is then negative.
knows_calls() {
	local name=$1 known written read all early since
	since=$(jq -s 'map(select(.type == "bytes" and .read).read.begun_ns) | min // 0' "$OUT/$name/json")
	read -r written read all early < <(trace-cmd report -R -i "$OUT/$name/trace.dat" 2>/dev/null |
		awk -v since="$since" -f "$(dirname "${BASH_SOURCE[0]}")/known-calls.awk")
	[ "$early" -le 100000 ] || fail "$name: $early bytes at the beginning are unknown"
	[ "$written" -gt 0 ] && [ "$read" -gt 0 ] || fail "$name: no calls are known"
	known=$(jq -s -r 'map(select(.type == "bytes")) |
		[map(select(.write) | .to - .from), (map(select(.read)) | map(.to - .from) + [-([0, map(.read.from)[]] | min)])] |
		map(add // 0) | join(" ")' "$OUT/$name/json")
	[ "$known" = "$written $read" ] || [ "$known" = "$written $all" ] ||
		fail "$name: $known bytes have a known writer and reader; the events have $written and $read or $all"
	ok "$name: bytes with a known writer, and with a known reader"
}

# stream NAME PARTIAL ADDRESS "WRITER" "READER" [OPTIONS…]: record a stream from A to port 9000 in B, and
# check each byte. WRITER and READER are arguments of bytes.c.
# With PARTIAL 1, report-skb may name no call for some bytes, but must not name a wrong call. With PARTIAL
# "calls", events of calls may be lost, but no other events. Three variables change the check:
# BUSY=1: the machine is too busy for exact times, as the emulated one for arm64 always is. TLS=true: check the bytes inside TLS records. SHIFTED=1:
# the recording may lack the beginning of the stream.
stream() {
	local name=$1 partial=$2 address=$3 dir=$OUT/$1 reader busy=${BUSY:-}
	local -a writer reads
	read -ra writer <<<"$4"
	read -ra reads <<<"$5"
	shift 5
	[ "$(uname -m)" != aarch64 ] || busy=1
	mkdir -p "$dir"
	in_b "$bytes" read 9000 "${reads[@]}" >"$dir/read" &
	reader=$!
	wait_for "the reader" eval 'in_b ss -Htln "sport = :9000" | grep -q .'
	is "$(status_of trace-cmd record-skb -b 30000 -o "$dir/trace.dat" "$@" -- \
		ip netns exec A sh -c "exec \"\$@\" >$dir/write" sh "$bytes" write "$address" 9000 "${writer[@]}")" 0 "$name"
	wait "$reader" || fail "$name: the reader failed"
	[ "$partial" != 0 ] || has "$(cat "$OUT/stderr")" ' 0 lost$' "$name: no entries are lost"
	cat "$dir/write" "$dir/read" >"$dir/log"
	trace-cmd report-skb -i "$dir/trace.dat" --bytes --json >"$dir/json" 2>"$dir/said"
	matches_schema "$dir/json" "$name"
	pieces_of "$dir/json" >"$dir/pieces"
	awk -v partial="${partial#calls}" -v busy="$busy" -v shifted="${SHIFTED:-}" -f "$(dirname "${BASH_SOURCE[0]}")/bytes.awk" "$dir/log" "$dir/pieces" ||
		fail "$name: the pieces differ from the log"
	ok "$name"
}
