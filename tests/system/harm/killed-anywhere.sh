#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: SIGKILL of the recorder, of trace-cmd or of the runner at random points of a recording or a ring: tracing is restored, the traffic is not disturbed
# tags: long
# timeout: 150

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

# harm/killed-often kills more often.
kills=${KILLS:-4}
random_seed

two_namespaces
echo_server B 9000
background_stream -c
# set_something: settings of another user that a recording has to change and restore
set_something() {
	echo vfs_read >"$tracing/set_ftrace_filter"
	echo vfs_write >"$tracing/set_graph_function"
	echo 5 >"$tracing/max_graph_depth"
}
unset_it() {
	echo >"$tracing/set_ftrace_filter"
	echo >"$tracing/set_graph_function"
	echo 0 >"$tracing/max_graph_depth"
}
set_something
at_exit unset_it
tracing_settings >"$OUT/before"

milliseconds() {
	echo $((${EPOCHREALTIME/./} / 1000))
}

# descendants PID: print PID and all its descendants, one on each line.
descendants() {
	local child
	echo "$1"
	for child in $(pgrep -P "$1"); do
		descendants "$child"
	done
}

# victim WHO: print the process to kill. If WHO does not exist yet, this is the recorder.
victim() {
	local pid
	case $1 in
	trace-cmd) pid=$(pgrep -P "$cli" -x trace-cmd) ;;
	runner) pid=$(pgrep -f '^[^ ]*record-skb --runner') ;;
	any) pid=$(descendants "$cli" | shuf -n 1 --random-source=<(yes "$pause")) ;;
	esac
	echo "${pid:-$cli}"
}

# The module may stay loaded if it is not armed: the process that would unload it is dead.
disarmed() {
	[ "$(cat "$tracing/current_tracer")" = nop ] && [ -z "$(redirected)" ] &&
		! pgrep -f 'trace-cmd.record|record-skb-keep'
}

# restored: true if tracing is as before; otherwise the difference is in $OUT/difference. If the recorder and the watchdog
# are dead, the module restores the settings after a moment.
restored() {
	tracing_settings | diff -U 0 "$OUT/before" - >"$OUT/difference"
}

recording() {
	trace-cmd record-skb "${few[@]}" "${ring[@]}" -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
	cli=$!
}

ring=()
# Kill at any point from the recorder's first instruction to a while after the module is armed, or while the
# recorder ends after SIGINT.
begin=$(milliseconds)
recording
wait_for "a recording" armed
whole=$((($(milliseconds) - begin) * 3 / 2))
kill -INT "$cli"
wait "$cli"

whos=(cli trace-cmd runner any)
for ((n = 1; n <= kills; n++)); do
	who=${whos[RANDOM % ${#whos[@]}]}
	ring=()
	[ $((RANDOM % 2)) = 0 ] || ring=(--ring 1M)
	# Any moment is as good, so do not wait for a condition.
	pause=$((RANDOM % whole))
	recording
	sleep $((pause / 1000))."$(printf %03d $((pause % 1000)))"
	# Some recordings are already ending.
	if [ $((RANDOM % 4)) = 0 ]; then
		kill -INT "$cli"
		sleep 0.$((RANDOM % 10))
	fi
	# shellcheck disable=SC2046 # several runners: the child that waits is a runner, too
	kill -KILL $(victim "$who") 2>/dev/null || :
	# A recorder notices only at its end that one of its per-CPU readers was killed, so end it.
	[ "$who" != any ] || kill -INT "$cli" 2>/dev/null || :
	wait "$cli" 2>/dev/null || :
	wait_for "the end of all, after $pause ms and SIGKILL of $who ${ring[*]}" disarmed
	[ "$(unread)" = 0 ] || fail "$(unread) entries are left, after $pause ms and SIGKILL of $who ${ring[*]}: $(tail -n 1 "$tracing/trace")"
	wait_for "the settings of tracing, after $pause ms and SIGKILL of $who ${ring[*]}" restored
	! compgen -G '/run/record-skb-symbols-*' || fail "a file of symbols is left after $pause ms and SIGKILL of $who ${ring[*]}"
	rm -f "$OUT"/trace.dat*
	traffic_goes_on "after $pause ms and SIGKILL of $who ($n)"
done
# Kill trace-cmd while it starts and has per-CPU recorders that ours has not listed yet: these never report that
# they exist.
recorders_read() {
	local pid
	for pid in $(pgrep -P "$(pgrep -P "$cli" -x trace-cmd)" -x trace-cmd); do
		readlink "/proc/$pid/fd/"* | grep trace_pipe_raw && return
	done
	return 1
}
printf '#!/bin/sh\necho $$ >%s\nexec sleep 1000\n' "$OUT/stand-in" >"$OUT/runner"
chmod +x "$OUT/runner"
program=$(readlink -f "$(command -v trace-cmd-record-skb)")
# The runner checks that the program has the name trace-cmd, so the wrapper is mounted over it and executes the
# original by descriptor.
exec {itself}<"$program"
mount --bind "$OUT/runner" "$program"
"/proc/self/fd/$itself" "${few[@]}" -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
cli=$!
wait_for "what stands in" test -s "$OUT/stand-in"
wait_for "trace-cmd's recorders" recorders_read
kill -KILL "$(victim trace-cmd)"
umount "$program"
exec {itself}<&-
wait "$cli" 2>/dev/null || :
kill -KILL "$(cat "$OUT/stand-in")"
wait_for "the end of all, after SIGKILL of trace-cmd before it had begun" disarmed
tracing_settings >"$OUT/after"
diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "the settings of tracing have changed after SIGKILL of trace-cmd at its start"
rm -f "$OUT"/trace.dat*
stream_ends

next_is_right
! grep -q '^record_skb ' /proc/modules || modprobe -r record_skb
