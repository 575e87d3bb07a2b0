#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: SIGKILL for any of the programs in the middle of a recording: disarmed, what was recorded is there, traffic goes on
# timeout: 200

. "$(dirname "$0")/lib.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000
background_stream -c
# --why has an instance of tracing, where there are rules.
modprobe nf_tables
tracing_settings >"$OUT/before"

# pid_of WHO: of the recording's processes.
pid_of() {
	case $1 in
	cli) echo "$cli" ;;
	trace-cmd) pgrep -P "$cli" -x trace-cmd ;;
	# trace-cmd's own arguments have the runner's too.
	runner) pgrep -P "$(pid_of trace-cmd)" -f '^[^ ]*record-skb --runner' ;;
	esac
}

# killed WHO…: all of them at once, so that none can react to the other.
killed() {
	local pids=() who
	for who; do
		pids+=("$(pid_of "$who")")
	done
	kill -KILL "${pids[@]}"
}

# killed_slowly WHO…: and trace-cmd, whose recorders end, takes its time to make the file. It would empty the function filter
# next; the recorder has the tracer ended before.
killed_slowly() {
	local pid recorders
	pid=$(pid_of trace-cmd)
	recorders=$(pgrep -P "$pid" -x trace-cmd)
	kill -STOP "$pid"
	killed "$@"
	# shellcheck disable=SC2086 # several
	kill -USR1 $recorders
	[ "$*" != runner ] || wait_for "the end of the tracer, while trace-cmd makes the file" grep -qx nop "$tracing/current_tracer"
	sleep 3
	kill -CONT "$pid"
}

mkdir "$OUT/parts"
for who in cli trace-cmd runner "cli trace-cmd" "cli runner"; do
	# With one of them its parts are elsewhere.
	elsewhere=()
	[ "$who" != trace-cmd ] || elsewhere=(--temp "$OUT/parts")
	trace-cmd record-skb "${few[@]}" "${elsewhere[@]}" -o "$OUT/trace.dat" -p 9000 --why 2>"$OUT/said" &
	cli=$!
	wait_for "the recording" armed
	[ -d "$tracing/instances/record_skb" ] || fail "there is no instance"
	traffic_goes_on "while it is recorded"
	# shellcheck disable=SC2086 # the program, and what else killed() takes
	case $who in
	*trace-cmd) killed $who ;;
	*) killed_slowly $who ;;
	esac
	status=0
	wait "$cli" 2>/dev/null || status=$?
	case $who in
	cli*) is "$status" 137 "the recorder is gone" ;;
	*)
		is "$status" 125 "exit status after SIGKILL of the $who"
		has "$(cat "$OUT/said")" "^trace-cmd record-skb: .*${who}.*(killed|is there)" "it says so"
		is "$(grep -cE 'switched tracing off|no room|somebody else' "$OUT/said")" 0 "and blames nobody else"
		;;
	esac
	wait_for "an end of all after SIGKILL of the $who" unrecorded
	is "$(unread)" 0 "nothing is left in the buffer"
	trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"
	has "$(cat "$OUT/report")" 'tcp_v4_rcv\(\) \{ /\* #[0-9]+ tcp .*:9000' "what was recorded until SIGKILL of the $who is there"
	! compgen -G "$OUT/trace.dat.cpu*" && ! compgen -G "$OUT/parts/*" || fail "parts of it are left"
	tracing_settings >"$OUT/after"
	diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "tracing is not as it was after SIGKILL of the $who"
	ok "all is as before after SIGKILL of the $who"
	traffic_goes_on "after SIGKILL of the $who"
	rm -f "$OUT"/trace.dat*

	is "$(status_of in_a trace-cmd record-skb "${few[@]}" -o "$OUT/next.dat" -p 9000 -- "$traffic" talk 10.9.0.2 1 9000)" \
		0 "the next recording"
	has "$(cat "$OUT/stderr")" '^[1-9][0-9]* packets matched' "has packets"
done
stream_ends
