#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: SIGKILL of the recorder, of trace-cmd or of the runner at random points of a recording or a ring: all is as before, traffic whole
# timeout: 150

. "$(dirname "$0")/lib.sh"

# 49-killed-often.sh has more.
kills=${KILLS:-4}
seed=${KILL_SEED:-$(date +%s)}
RANDOM=$seed
echo "seed $seed"

two_namespaces
echo_server B 9000
background_stream -c
# Of somebody, in the way of a recording.
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

# descendants PID: it and all that come from it, a line each.
descendants() {
	local child
	echo "$1"
	for child in $(pgrep -P "$1"); do
		descendants "$child"
	done
}

# victim WHO: the process to be killed; whoever is not there yet has the recorder killed instead.
victim() {
	local pid
	case $1 in
	trace-cmd) pid=$(pgrep -P "$cli" -x trace-cmd) ;;
	runner) pid=$(pgrep -f '^[^ ]*record-skb --runner') ;;
	any) pid=$(descendants "$cli" | shuf -n 1) ;;
	esac
	echo "${pid:-$cli}"
}

# The module may stay, if nothing is armed: the one who would have unloaded it is dead.
disarmed() {
	[ "$(cat "$tracing/current_tracer")" = nop ] && [ -z "$(redirected)" ] &&
		! pgrep -f 'trace-cmd.record|record-skb-keep'
}

recording() {
	trace-cmd record-skb "${few[@]}" "${ring[@]}" -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
	cli=$!
}

ring=()
# From its first instruction to a while behind the moment when it is armed, and the end of one that is told to end.
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
	# Nothing is waited for: any moment is as good.
	pause=$((RANDOM % whole))
	recording
	sleep $((pause / 1000))."$(printf %03d $((pause % 1000)))"
	# Some are on their way out already.
	if [ $((RANDOM % 4)) = 0 ]; then
		kill -INT "$cli"
		sleep 0.$((RANDOM % 10))
	fi
	# shellcheck disable=SC2046 # several runners: the child that waits is one as well
	kill -KILL $(victim "$who") 2>/dev/null || :
	# Whoever reads one of the CPUs for trace-cmd is not missed before its end.
	[ "$who" != any ] || kill -INT "$cli" 2>/dev/null || :
	wait "$cli" 2>/dev/null || :
	wait_for "the end of all, after $pause ms and SIGKILL of $who ${ring[*]}" disarmed
	[ "$(unread)" = 0 ] || fail "$(unread) entries are left, after $pause ms and SIGKILL of $who ${ring[*]}: $(tail -n 1 "$tracing/trace")"
	tracing_settings >"$OUT/after"
	diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "tracing is not as it was, after $pause ms and SIGKILL of $who ${ring[*]}"
	! compgen -G '/run/record-skb-symbols-*' || fail "symbols are left, after $pause ms and SIGKILL of $who ${ring[*]}"
	rm -f "$OUT"/trace.dat*
	traffic_goes_on "after $pause ms and SIGKILL of $who ($n)"
done
# While trace-cmd begins, and has recorders that nobody has noted yet: what it runs then never says that it is there.
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
# Itself it is executed from what was there before: for the runner it looks at its name.
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
diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "tracing is not as it was, after SIGKILL of trace-cmd before it had begun"
rm -f "$OUT"/trace.dat*
stream_ends

next_is_right
! grep -q '^record_skb ' /proc/modules || modprobe -r record_skb
