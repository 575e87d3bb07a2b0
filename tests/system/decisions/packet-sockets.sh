#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report lists packets that packet sockets missed: with and without a ring, filtered, in a fanout group, at both ends, and tcpdump
# requires: jq tcpdump
# timeout: 300

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
traffic=$(program traffic)
# The ring of a TPACKET_V3 socket has room for only about 80 packets.
count=150
sockets=()

# opened NAME NAMESPACE DEVICE VERSION PORT [FANOUT]: open a packet socket that no program reads
opened() {
	local fd
	mkfifo "$OUT/$1.end"
	ip netns exec "$2" perl "$here/packet-socket.pl" "${@:3}" <"$OUT/$1.end" >"$OUT/$1" 2>"$OUT/$1.error" &
	pids[$1]=$!
	at_exit stop $!
	exec {fd}>"$OUT/$1.end"
	fds[$1]=$fd
	wait_for "the packet socket $1" test -s "$OUT/$1"
	sockets+=("$1")
}

# lost FILTER: print how many packets the selected packet sockets missed, as the report says
lost() {
	jq -s "[.[] | select(.type == \"packet\" or .type == \"copy\") | .decisions[]? | select(.kind == \"packet_socket\") | select($1) |
		[.time_ns, .socket]] | unique | length" "$OUT/json"
}

declare -A pids fds
for version in 0 1 2 3; do
	opened "receiver-v$version" B vb $version 9000
done
opened sender-v0 A va 0 9000
opened sender-v3 A va 3 9000
opened filtered-v0 B vb 0 9
opened filtered-v2 B vb 2 9
opened fanout-1 B vb 0 9000 7
opened fanout-2 B vb 2 9000 7
ip netns exec B tcpdump -i vb --immediate-mode -s 160 -B 4 -w "$OUT/pcap" udp port 9000 2>"$OUT/tcpdump" &
tcpdump=$!
at_exit stop $tcpdump
wait_for "tcpdump" grep -q 'listening on' "$OUT/tcpdump"
kill -STOP $tcpdump

in_b "$traffic" collect 9000 >"$OUT/received" &
at_exit stop $!
wait_for "a receiver" udp_listening B 9000
trace-cmd record-skb --detail path -o "$OUT/trace.dat" 'udp port 9000' -- \
	ip netns exec A "$traffic" number 10.9.0.2 9000 $count 2>"$OUT/said" || fail "the recording: $(cat "$OUT/said")"
nothing_lost "$OUT/said"
kill -CONT $tcpdump
capture_ends $tcpdump

trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
"$(program check-json)" "$top/report/report-skb.schema.json" <"$OUT/json" || fail "the JSON schema"
all=0
for name in "${sockets[@]}"; do
	echo >&"${fds[$name]}"
	wait "${pids[$name]}" || fail "$name: $(cat "$OUT/$name.error")"
	read -r _ dropped <<<"$(sed -n 2p "$OUT/$name")"
	is "$(lost ".socket == $(head -n 1 "$OUT/$name") and .result == \"full\" and .process == \"perl\"")" "$dropped" "$name: packets that the kernel dropped"
	[[ $name = filtered-* ]] || [ "$dropped" -gt 0 ] || fail "$name lost nothing"
	all=$((all + dropped))
done
dropped=$(sed -n 's/ packets dropped by kernel//p' "$OUT/tcpdump")
[ "$dropped" -gt 0 ] || fail "tcpdump lost nothing"
is "$(lost ".process == \"tcpdump\" and .pid == $tcpdump")" "$dropped" "tcpdump: packets that it says that the kernel dropped"
is "$(lost true)" "$((all + dropped))" "losses of all packet sockets"

# When the last packet arrived, all packet sockets were full.
number=$(jq -s '[.[] | select(.type == "packet")] | last | .number' "$OUT/json")
trace-cmd report-skb --packet "$number" -i "$OUT/trace.dat" >"$OUT/graph"
cat "$OUT/graph"
has "$(cat "$OUT/graph")" "#$number did not get to tcpdump-$tcpdump: its buffer was full\$" "the line in the graph"
trace-cmd report-skb --why -i "$OUT/trace.dat" >"$OUT/why"
has "$(cat "$OUT/why")" "^$dropped packets did not get to tcpdump-$tcpdump: its buffer was full" "--why"
is "$(trace-cmd report-skb --summary --json -i "$OUT/trace.dat" |
	jq ".happened[] | select(.what == \"not in packet socket\" and .text == \"did not get to tcpdump-$tcpdump: its buffer was full\") | .count")" \
	"$dropped" "the summary"
