#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: for a call, the report names the sockmap program that dropped its data, or redirected the data without a packet
# requires: jq
# tags: slow

. "$(dirname "$0")/../lib/lib.sh"

# run KIND: record while sockmap.c writes five messages, and set $id to the id of the BPF program
run() {
	coproc MAP { exec "$(program sockmap)" "$1"; }
	# shellcheck disable=SC2153 # coproc sets MAP_PID
	map_pid=$MAP_PID
	at_exit stop "$map_pid"
	read -r -u "${MAP[0]}" id || fail "no program"
	start_recording --detail net 'tcp port 9001 or tcp port 9002'
	echo >&"${MAP[1]}"
	read -r -u "${MAP[0]}" came || fail "no data"
	stop_recording
	eval "exec ${MAP[1]}>&-"
	wait "$map_pid"
	trace-cmd report-skb --why -i "$OUT/trace.dat" >"$OUT/why"
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
	trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
	trace-cmd report -i "$OUT/trace.dat" -F program >"$OUT/events"
	cat "$OUT/why" "$OUT/packets" "$OUT/events"
}

run msg
is "$came" "500 bytes came, 0 calls failed" "the data came without a packet"
is "$(grep -c "sk_msg redirects (id $id," "$OUT/events")" 5 "runs of the program"
has "$(cat "$OUT/why")" 'its data did not become a packet$' "the calls"
has "$(cat "$OUT/why")" "the sockmap program redirects \\(id $id\\), which returned SK_PASS to the receive queue of a socket with port 9001\$" "the program"
has "$(cat "$OUT/why")" "and 4 more calls" "their number"
has "$(cat "$OUT/why")" "see: bpftool prog show id $id\$" "the command that shows the program"

run drop
is "$came" "0 bytes came, 5 calls failed" "the program drops the data"
has "$(cat "$OUT/why")" 'returned -EACCES' "the calls"
has "$(cat "$OUT/why")" "the sockmap program redirects \\(id $id\\), which returned SK_DROP\$" "the program"

run skb
is "$came" "500 bytes came, 0 calls failed" "the data came by the other connection"
[ "$(jq -r "select(.programs).programs[] | select(.id == $id and .kind == \"sockmap\" and .result_name == \"SK_PASS\").target.kind" "$OUT/json" | sort -u)" = socket ] ||
	fail "no packet names the program that redirected it"
