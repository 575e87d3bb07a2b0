#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: two recordings are attached to the same tc program, and each one has exactly one run of the program for each packet
# kernels: 6.12 6.12-rt newest
# requires: tc jq
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
neighbours_known
traffic=$(program traffic)
in_b "$traffic" collect 9002 >"$OUT/received" &
collector=$!
at_exit stop $collector
wait_for "a receiver" udp_listening B 9002
coproc HOOK { exec ip netns exec B "$(program programs)" tc-ingress vb fw_main 2 9001; }
# shellcheck disable=SC2153 # coproc sets HOOK_PID
at_exit stop "$HOOK_PID"
read -r -u "${HOOK[0]}" _ id _ || fail "no program is attached"

# record N: start the recording N of both ports in the background
record() {
	trace-cmd record-skb --shared --detail path -o "$OUT/$1.dat" 'udp and (port 9001 or port 9002)' 2>"$OUT/said$1" &
	recording[$1]=$!
	at_exit stop "${recording[$1]}"
	wait_for "recording $1" grep -q "recording until" "$OUT/said$1"
}
recording=()
record 1
record 2
in_a "$traffic" number 10.9.0.2 9001 3
in_a "$traffic" number 10.9.0.2 9002 3
has "$(ip netns exec B tc filter show dev vb ingress)" "id $id" "tc shows the program"
for n in 1 2; do
	kill -INT "${recording[$n]}"
	wait "${recording[$n]}" || fail "recording $n: $(cat "$OUT/said$n")"
	nothing_lost "$OUT/said$n"
	is "$(trace-cmd report-skb --json -i "$OUT/$n.dat" 2>/dev/null | jq -r 'select(.type == "packet") | .programs | length' | sort | uniq -c | tr -s ' ')" " 16 1" \
		"recording $n: sixteen packets with one run each"
	is "$(trace-cmd report-skb --list -i "$OUT/$n.dat" 2>/dev/null | grep -c "dropped by tc program fw_main (id $id) on vb")" 8 "recording $n: drops"
done
eval "exec ${HOOK[1]}>&-"
wait "$HOOK_PID"
