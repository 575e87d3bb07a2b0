# SPDX-License-Identifier: GPL-2.0
# packet-losses.sh - datagrams from A to port 9000 of B, which packet sockets should get
# shellcheck disable=SC2154 # lib.sh sets the variables.

# record_numbered COUNT: record so many datagrams to $OUT/trace.dat
record_numbered() {
	local traffic
	traffic=$(program traffic)
	in_b "$traffic" collect 9000 >"$OUT/received" &
	at_exit stop $!
	wait_for "a receiver" udp_listening B 9000
	trace-cmd record-skb --detail path -o "$OUT/trace.dat" 'udp port 9000' -- \
		ip netns exec A "$traffic" number 10.9.0.2 9000 "$1" 2>"$OUT/said" || fail "the recording: $(cat "$OUT/said")"
	nothing_lost "$OUT/said"
}

# write_json: write the packets to $OUT/json
write_json() {
	trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
	"$(program check-json)" "$top/report/report-skb.schema.json" <"$OUT/json" || fail "the JSON schema"
}

# lost FILTER: print how many packets the selected packet sockets missed, as the report says
lost() {
	jq -s "[.[] | select(.type == \"packet\" or .type == \"copy\") | .decisions[]? | select(.kind == \"packet_socket\") | select($1) |
		[.time_ns, .socket]] | unique | length" "$OUT/json"
}
