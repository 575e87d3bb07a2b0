# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# kills.sh - recordings that are killed at random moments, while another user also has settings of tracing
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

# foreign_settings: make settings of another user that a recording has to change and restore
foreign_settings() {
	echo vfs_read >"$tracing/set_ftrace_filter"
	echo vfs_write >"$tracing/set_graph_function"
	echo 5 >"$tracing/max_graph_depth"
	echo 0 >"$tracing/options/sleep-time"
	echo $$ >"$tracing/set_event_pid"
}
no_foreign_settings() {
	echo >"$tracing/set_ftrace_filter"
	echo >"$tracing/set_graph_function"
	echo 0 >"$tracing/max_graph_depth"
	echo 1 >"$tracing/options/sleep-time"
	echo >"$tracing/set_event_pid"
}

milliseconds() {
	echo $((${EPOCHREALTIME/./} / 1000))
}

# measure_recording: measure how long recording() needs until the module is armed. Set $whole to 1.5 times
# this duration, in milliseconds.
measure_recording() {
	local begin
	begin=$(milliseconds)
	recording
	wait_for "a recording" armed
	whole=$((($(milliseconds) - begin) * 3 / 2))
	kill -INT "$cli"
	wait "$cli"
}

# random_pause: wait for a random time of at most $whole milliseconds. Set $pause to this time. Do not wait
# for an event instead, because the moment has to be random.
random_pause() {
	pause=$((RANDOM % whole))
	sleep $((pause / 1000))."$(printf %03d $((pause % 1000)))"
}

# disarmed: true if no part of a recording is active. The module may still be loaded, because the process
# that should unload it may be dead.
disarmed() {
	[ "$(cat "$tracing/current_tracer")" = nop ] && [ -z "$(redirected)" ] &&
		! pgrep -f 'trace-cmd.record|record-skb-keep'
}

# descendants PID: print PID and all its descendants, one on each line.
descendants() {
	local child
	echo "$1"
	for child in $(pgrep -P "$1"); do
		descendants "$child"
	done
}

# pid_of WHO: print the PID of a process of the recording: cli, trace-cmd or runner
pid_of() {
	case $1 in
	cli) echo "$cli" ;;
	trace-cmd) pgrep -P "$cli" -x trace-cmd ;;
	# trace-cmd's arguments contain those of the runner, so match the program's name at the start.
	runner) pgrep -P "$(pid_of trace-cmd)" -f '^[^ ]*record-skb --runner' ;;
	esac
}

# killed WHO…: kill all these processes at once, so that none of them can react to the death of another
killed() {
	local pids=() who
	for who; do
		pids+=("$(pid_of "$who")")
	done
	kill -KILL "${pids[@]}"
}

# settings_restored WHEN: check that the settings of tracing are the same as in $OUT/before
settings_restored() {
	tracing_settings >"$OUT/after"
	diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "the settings of tracing have changed $1"
	ok "tracing is restored $1"
}
