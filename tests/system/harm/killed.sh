#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: SIGKILL of any of the programs during a recording: the module is disarmed, the file has the packets so far, and traffic continues
# tags: long
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/kills.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000
background_stream -c
# If there are nftables rules, --why uses a tracing instance.
modprobe nf_tables
tracing_settings >"$OUT/before"

# killed_slowly WHO…: kill WHO while trace-cmd makes the file from the parts of its recorders. Stop
# trace-cmd for some time, as if this took long. The tracer must end before
# trace-cmd, because trace-cmd empties the function filter when it ends.
killed_slowly() {
	local pid recorders
	pid=$(pid_of trace-cmd)
	recorders=$(pgrep -P "$pid" -x trace-cmd)
	kill -STOP "$pid"
	killed "$@"
	# shellcheck disable=SC2086 # $recorders has several PIDs
	kill -USR1 $recorders
	[ "$*" != runner ] || wait_for "the tracer to end while trace-cmd makes the file" grep -qx nop "$tracing/current_tracer"
	sleep 3
	kill -CONT "$pid"
}

for who in cli trace-cmd runner "cli trace-cmd" "cli runner"; do
	trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" -p 9000 --why 2>"$OUT/said" &
	cli=$!
	wait_for "the recording" armed
	[ -d "$tracing/instances/record_skb" ] || fail "the instance of --why does not exist"
	traffic_goes_on "while it is recorded"
	# shellcheck disable=SC2086 # $who may have several words
	case $who in
	*trace-cmd) killed $who ;;
	*) killed_slowly $who ;;
	esac
	status=0
	wait "$cli" 2>/dev/null || status=$?
	case $who in
	cli*) is "$status" 137 "the recorder was killed" ;;
	*)
		is "$status" 125 "exit status after SIGKILL of the $who"
		has "$(cat "$OUT/said")" "^trace-cmd record-skb: .*(${who}.*(killed|is there)|killed its ${who})" "the message names the process"
		is "$(grep -cE 'switched tracing off|the disk is full|another process has (switched|read|emptied)' "$OUT/said")" 0 "messages that blame another cause"
		;;
	esac
	wait_for "an end of all after SIGKILL of the $who" unrecorded
	is "$(unread)" 0 "nothing is left in the buffer"
	trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"
	has "$(cat "$OUT/report")" 'tcp_v4_rcv\(\) \{ /\* #[0-9]+ tcp .*:9000' "the packets until SIGKILL of the $who are in the trace"
	! compgen -G "$OUT/trace.dat.cpu*" || fail "parts of the trace are left"
	settings_restored "after SIGKILL of the $who"
	traffic_goes_on "after SIGKILL of the $who"
	rm -f "$OUT"/trace.dat*

	is "$(status_of in_a trace-cmd record-skb "${few[@]}" -o "$OUT/next.dat" -p 9000 -- "$traffic" talk 10.9.0.2 1 9000)" \
		0 "the next recording"
	has "$(cat "$OUT/stderr")" '^[1-9][0-9]* packets matched' "has packets"
done
stream_ends
