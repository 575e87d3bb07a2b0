#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: packets name the XDP and tc programs that have run on them, and the program that dropped them
# requires: tc jq tshark
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
neighbours_known
programs=$(program programs)
traffic=$(program traffic)


# begin_programs NAMESPACE HOOK DEVICE NAME RESULT PORT…: attach programs; $id is the id of the first one, $last of the last
begin_programs() {
	coproc HOOK { exec ip netns exec "$1" "$programs" "${@:2}"; }
	# shellcheck disable=SC2153 # coproc sets HOOK_PID
	hook_pid=$HOOK_PID
	at_exit stop "$hook_pid"
	id=
	for _ in $(seq $((($# - 3) / 3))); do
		read -r -u "${HOOK[0]}" _ last _ || fail "no program is attached"
		id=${id:-$last}
	done
}
# read_runs: set $runs to the number of times that the kernel has run the first program
read_runs() {
	echo >&"${HOOK[1]}"
	read -r -u "${HOOK[0]}" runs _
}
end_programs() {
	eval "exec ${HOOK[1]}>&-"
	wait "$hook_pid"
}
# sixteen: record eight datagrams to each of the ports 9001 and 9002 (five of them tell the end), and receive those to 9002
sixteen() {
	in_b "$traffic" collect 9002 >"$OUT/received" &
	collector=$!
	at_exit stop $collector
	wait_for "a receiver" udp_listening B 9002
	trace-cmd record-skb --detail net -o "$OUT/trace.dat" 'udp and (port 9001 or port 9002)' 2>"$OUT/said" &
	recording=$!
	at_exit stop $recording
	wait_for "the recording" armed
	read_runs
	before=$runs
	in_a "$traffic" number 10.9.0.2 9001 3
	in_a "$traffic" number 10.9.0.2 9002 3
	wait_for "the runs" ran
	kill -INT $recording
	wait $recording || fail "the recording: $(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	stop $collector
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
	trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
	"$(program check-json)" "$top/report/report-skb.schema.json" <"$OUT/json" || fail "the JSON schema"
	trace-cmd report-skb --why -i "$OUT/trace.dat" >"$OUT/why"
	cat "$OUT/packets"
}
ran() {
	read_runs
	[ $((runs - before)) -ge 16 ]
}
# shown_runs ID RESULT: how often the recording has this program with this result
shown_runs() {
	jq -s "[.[] | select(.type == \"packet\") | .programs[]? | select(.id == $1 and .result_name == \"$2\")] | length" "$OUT/json"
}

# check RESULT HOOK NAMESPACE DEVICE DROP PASS TEXT WITNESS…: a program that returns RESULT drops eight packets, and
# WITNESS shows the program
check() {
	local result=$1 hook=$2 ns=$3 device=$4 dropped=$5 passed=$6 text=$7 frames
	shift 7
	begin_programs "$ns" "$hook" "$device" fw_main "$result" 9001
	has "$(ip netns exec "$ns" "$@")" "id $id( |\$)" "$hook: $* shows the program"
	sixteen
	is "$(grep -cE "^ +[0-9]+ .*dropped by $text program fw_main \\(id $id\\) on $device" "$OUT/packets")" 8 "$hook: packets that the program dropped"
	is "$(grep -cE '^ +[0-9]+ .*delivered to a socket' "$OUT/packets")" 8 "$hook: packets that arrived"
	is "$(shown_runs "$id" "$dropped") $(shown_runs "$id" "$passed")" "8 8" "$hook: the results"
	is "$(grep -c "see: bpftool prog show id $id\$" "$OUT/why")" 1 "$hook: the command that shows the program"
	trace-cmd report-skb --pcap "$OUT/pcapng" -i "$OUT/trace.dat" 2>/dev/null
	# A packet that is dropped at the egress has not crossed a device, and has no frame.
	[ "$hook" = tc-egress ] && frames=0 || frames=8
	is "$(tshark -r "$OUT/pcapng" -Y "frame.verdict.ebpf_${hook%%-*} == $result" 2>/dev/null | wc -l)" "$frames" \
		"$hook: verdicts in the capture file"
	has "$("$programs" list)" '^fw_main$' "$hook: the program is still there"
	has_not "$("$programs" list)" '^record_skb$' "$hook: and nothing is attached to it"
	end_programs
}

check 1 xdp-generic B vb XDP_DROP XDP_PASS XDP ip -d link show dev vb
check 1 xdp-native B vb XDP_DROP XDP_PASS XDP ip -d link show dev vb
check 2 tc-ingress B vb TC_ACT_SHOT TC_ACT_UNSPEC tc tc filter show dev vb ingress
has "$(cat "$OUT/packets")" 'on vb \(ingress\)' "the side of the device"
check 2 tc-egress A va TC_ACT_SHOT TC_ACT_UNSPEC tc tc filter show dev va egress
has "$(cat "$OUT/packets")" 'on va \(egress\)' "the side of the device"

trace-cmd report-skb --packet 1 -i "$OUT/trace.dat" >"$OUT/graph"
has "$(cat "$OUT/graph")" '#1 tc program fw_main \(id [0-9]+\) on va \(egress\), tag [0-9a-f]{16}: TC_ACT_SHOT$' "the program in the graph"

# Two programs in a chain: the first one lets all packets go on to the second one. 6.1 has no tcx.
hook=tcx-ingress
case $VM_KERNEL in 6.1* | debug) hook=tc-ingress ;; esac
begin_programs B $hook vb first -1 9001 fw_main 2 9001
sixteen
is "$(grep -cE "^ +[0-9]+ .*dropped by tc program fw_main \\(id $last\\) on vb" "$OUT/packets")" 8 "$hook: packets that the second program dropped"
is "$(jq -c 'select(.type == "packet") | [.programs[] | .name, .result_name]' "$OUT/json" | sort | uniq -c | tr -s ' ')" \
	' 8 ["first","TC_ACT_UNSPEC","fw_main","TC_ACT_SHOT"]
 8 ["first","TC_ACT_UNSPEC","fw_main","TC_ACT_UNSPEC"]' "$hook: the programs in their order"
end_programs

# With --no-bpf, nothing is attached.
begin_programs B tc-ingress vb fw_main 2 9001
trace-cmd record-skb --no-bpf --detail path -o "$OUT/without.dat" -p 9001 2>"$OUT/said" &
recording=$!
at_exit stop $recording
wait_for "the recording" armed
has_not "$("$programs" list)" '^record_skb$' "--no-bpf attaches to no program"
kill -INT $recording
wait $recording || fail "the recording: $(cat "$OUT/said")"
end_programs

# The recorder is killed while it is attached.
begin_programs B tc-ingress vb fw_main 2 9001
trace-cmd record-skb --detail path -o "$OUT/killed.dat" -p 9001 2>"$OUT/said" &
recording=$!
wait_for "the recording" armed
has "$("$programs" list)" '^record_skb$' "a recording is attached to the program"
kill -KILL $recording
status=0
wait $recording || status=$?
is "$status" 137 "the recorder was killed"
detached() { ! "$programs" list | grep -q '^record_skb$'; }
wait_for "the end of the attachment" detached
wait_for "the end of the recording" unrecorded
has "$("$programs" list)" '^fw_main$' "the program is still there"
end_programs
