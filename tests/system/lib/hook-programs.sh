# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# hook-programs.sh - attach BPF programs to hooks on the path of datagrams (see programs.c), and record the
# datagrams
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

two_namespaces
neighbours_known
programs=$(program programs)
traffic=$(program traffic)

# begin_programs NAMESPACE HOOK DEVICE NAME RESULT PORT…: attach one or more programs. Set $id to the id of
# the first program, and $last to the id of the last one.
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
# read_runs: set $runs to the number of times that the first program has run, as the kernel counts
read_runs() {
	echo >&"${HOOK[1]}"
	read -r -u "${HOOK[0]}" runs _
}
end_programs() {
	eval "exec ${HOOK[1]}>&-"
	wait "$hook_pid"
}

# sixteen: record eight datagrams to port 9001, and eight to port 9002. Only port 9002 has a receiver. Three
# of each eight datagrams have a number. The other five are end marks, which tell the receiver that no more
# numbers follow.
sixteen() {
	in_b "$traffic" collect 9002 >"$OUT/received" &
	collector=$!
	at_exit stop $collector
	wait_for "a receiver" udp_listening B 9002
	start_recording --detail net 'udp and (port 9001 or port 9002)'
	read_runs
	before=$runs
	in_a "$traffic" number 10.9.0.2 9001 3
	in_a "$traffic" number 10.9.0.2 9002 3
	wait_for "the runs" ran
	stop_recording
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
# shown_runs ID RESULT: print how often the program ID has returned RESULT, according to the report
shown_runs() {
	jq -s "[.[] | select(.type == \"packet\") | .programs[]? | select(.id == $1 and .result_name == \"$2\")] | length" "$OUT/json"
}
# three_datagrams ADDRESS FILTER…: record three datagrams from A to port 9001 of ADDRESS. Write the packets to
# $OUT/packets. Set $runs_now to the number of times that the first program has run in the meantime.
three_datagrams() {
	start_recording --detail net "${@:2}"
	read_runs
	before=$runs
	for _ in 1 2 3; do
		in_a bash -c "echo >/dev/udp/$1/9001" 2>>"$OUT/refused" || echo "a call failed"
	done
	read_runs
	runs_now=$((runs - before))
	stop_recording
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
	cat "$OUT/packets"
}
# mount_bpf: mount /tmp/bpf, where ip finds the pinned programs of routes
mount_bpf() {
	mkdir -p /tmp/bpf
	mount -t bpf bpf /tmp/bpf
	at_exit umount /tmp/bpf
}
# mount_cgroup: mount the cgroups in a place that "ip netns exec" does not hide, and set $cgroup to their root
mount_cgroup() {
	cgroup=/tmp/cgroup
	mkdir -p $cgroup
	mount -t cgroup2 cgroup2 $cgroup
	at_exit umount $cgroup
}
