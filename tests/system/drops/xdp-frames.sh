#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: XDP programs of frames without an skb: extension headers, VLAN tags, fragments, and a namespace with the same addresses
# requires: perl jq socat
# tags: long
# timeout: 400

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B. In B and in C, frames arrive on a device tap0 (10.6.0.2, fd06::2) with the VLAN
# device tap0.5 (10.5.0.2). Only tap0 of B has an XDP program.

. "$(dirname "$0")/../lib/lib.sh"
. "$here/hook-programs.sh"

modprobe -a tun 8021q
ip netns add C && at_exit ip netns del C
declare -A frames
for ns in B C; do
	mkfifo "$OUT/frames.$ns"
	ip netns exec $ns perl "$here/tap-frames.pl" tap0 10.6.0.2 9001 2 <"$OUT/frames.$ns" &
	at_exit stop $!
	exec {fd}>"$OUT/frames.$ns"
	frames[$ns]=$fd
	wait_for "tap0 in $ns" ip -n $ns link show tap0
	ip -n $ns -batch - <<-END_OF_BATCH
		address add 10.6.0.2/24 dev tap0
		address add fd06::2/64 dev tap0 nodad
		link set tap0 up
		link add link tap0 name tap0.5 type vlan id 5
		address add 10.5.0.2/24 dev tap0.5
		link set tap0.5 up
	END_OF_BATCH
	background ip netns exec $ns socat -u UDP6-RECV:9001,ipv6only=0 "CREATE:$OUT/received.$ns"
	wait_for "a receiver in $ns" udp_listening $ns 9001
done

received() { stat -c %s "$OUT/received.$1"; }
ten_ran() {
	read_runs
	[ $((runs - before)) -ge 10 ]
}
# all_received NAMESPACE BYTES: true if the receiver in NAMESPACE has got this number of bytes
all_received() {
	[ "$(received "$1")" = "$2" ]
}
# packets CONDITION: print how many packets satisfy CONDITION, or have a copy that satisfies it. Reassembly makes copies.
packets() {
	jq -s --argjson b "$(stat -Lc %i /run/netns/B)" --argjson c "$(stat -Lc %i /run/netns/C)" --argjson id "$id" \
		"[.[] | select(.type == \"packet\" or .type == \"copy\") | select($1) | .number] | unique | length" "$OUT/json"
}

# record DETAIL RESULT RESULT-NAME ARRIVES: send two frames of each kind to B and to C. The program in B returns RESULT for each
# of them. ARRIVES is the number of bytes that the receiver in B gets.
record() {
	local kind ns was=$(($(received B) + $4)) was_c=$(($(received C) + 256)) what="--detail $1, $3"
	begin_programs B xdp-native tap0 fw_main "$2" 0
	start_recording --detail "$1" 'host 10.6.0.2 or host 10.5.0.2 or host fd06::2'
	read_runs
	before=$runs
	for kind in '' extended tagged first last; do
		for ns in B C; do echo "$kind" >&"${frames[$ns]}"; done
	done
	wait_for "the runs" ten_ran
	wait_for "the datagrams in C" all_received C $was_c
	wait_for "the datagrams in B" all_received B $was
	stop_recording
	trace-cmd report-skb --list --wide -i "$OUT/trace.dat"
	trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
	is "$runs $(packets "[.programs[]? | [.id, .result_name, .device, .netns]] == [[\$id, \"$3\", \"tap0\", \$b]]")" \
		"$((before + 10)) 10" "$what: packets with the program, as the kernel counts its runs"
	is "$(packets 'any(.path[]?; .netns == $c)') $(packets '.programs and any(.path[]?; .netns == $c)')" "10 0" \
		"$what: packets of the other namespace, and those with a program"
	is "$(packets '.verdict.what == "dropped"')" "$((10 - $4 * 10 / 256))" "$what: packets that were dropped"
	is "$(jq -s '[.[] | select(.type == "packet")] | group_by(.flow) | map(map(.path[0].netns) | unique | length) | max' "$OUT/json")" 1 \
		"$what: no flow is in both namespaces"
	end_programs
}
record path 1 XDP_DROP 0
record path 2 XDP_PASS 256
record net 1 XDP_DROP 0
record full 2 XDP_PASS 256
