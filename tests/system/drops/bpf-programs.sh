#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report shows which XDP and tc programs ran on a packet, and which program dropped it
# requires: tc jq tshark
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/hook-programs.sh"

# check RESULT HOOK NAMESPACE DEVICE DROP PASS TEXT WITNESS…: attach a program that returns RESULT to HOOK of
# DEVICE. It must drop eight of 16 packets. The command WITNESS must show the program.
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
	# A packet that is dropped at egress has crossed no device, so the capture file has no frame of it.
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
