#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: SIGKILL of the recorder, trace-cmd or the runner at a random point of a recording or ring: tracing is restored, and traffic is not disturbed
# tags: long
# timeout: 150

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/kills.sh"

# harm/killed-often sets a larger number of kills.
kills=${KILLS:-4}
random_seed

two_namespaces
echo_server B 9000
background_stream -c
foreign_settings
at_exit no_foreign_settings
tracing_settings >"$OUT/before"

# victim WHO: print the PID of the process to kill. If WHO does not exist yet, print the PID of the recorder.
victim() {
	local pid
	case $1 in
	trace-cmd) pid=$(pgrep -P "$cli" -x trace-cmd) ;;
	runner) pid=$(pgrep -f '^[^ ]*record-skb --runner') ;;
	any) pid=$(descendants "$cli" | shuf -n 1 --random-source=<(yes "$pause")) ;;
	esac
	echo "${pid:-$cli}"
}

# restored: true if the settings of tracing are the same as before the recording. If not, $OUT/difference
# has the differences. If both the recorder and the watchdog are dead, the module needs a moment to restore
# the settings.
restored() {
	tracing_settings | diff -U 0 "$OUT/before" - >"$OUT/difference"
}

recording() {
	trace-cmd record-skb "${few[@]}" "${ring[@]}" -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
	cli=$!
}

ring=()
measure_recording

whos=(cli trace-cmd runner any)
for ((n = 1; n <= kills; n++)); do
	who=${whos[RANDOM % ${#whos[@]}]}
	ring=()
	[ $((RANDOM % 2)) = 0 ] || ring=(--ring 1M)
	recording
	random_pause
	# Kill every fourth recording only after SIGINT, while it is ending.
	if [ $((RANDOM % 4)) = 0 ]; then
		kill -INT "$cli"
		sleep 0.$((RANDOM % 10))
	fi
	# shellcheck disable=SC2046 # victim may print several PIDs, because a child of a runner is also
	# called runner
	kill -KILL $(victim "$who") 2>/dev/null || :
	# The killed process may have been one of trace-cmd's per-CPU readers. A recorder notices this only
	# when it ends, so end the recorder.
	[ "$who" != any ] || kill -INT "$cli" 2>/dev/null || :
	wait "$cli" 2>/dev/null || :
	wait_for "the end of all, after $pause ms and SIGKILL of $who ${ring[*]}" disarmed
	[ "$(unread)" = 0 ] || fail "$(unread) entries are left, after $pause ms and SIGKILL of $who ${ring[*]}: $(tail -n 1 "$tracing/trace")"
	wait_for "the settings of tracing, after $pause ms and SIGKILL of $who ${ring[*]}" restored
	! compgen -G '/run/record-skb-symbols-*' || fail "a file of symbols is left after $pause ms and SIGKILL of $who ${ring[*]}"
	rm -f "$OUT"/trace.dat*
	traffic_goes_on "after $pause ms and SIGKILL of $who ($n)"
done
stream_ends

next_is_right
! grep -q '^record_skb ' /proc/modules || modprobe -r record_skb
