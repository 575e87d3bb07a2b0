#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: SIGKILL of trace-cmd at its start, before record-skb knows the per-CPU recorders: they are ended, and tracing is restored
# tags: long
# timeout: 150

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/kills.sh"

two_namespaces
echo_server B 9000
background_stream -c
foreign_settings
at_exit no_foreign_settings
tracing_settings >"$OUT/before"

# Kill trace-cmd while it starts, when record-skb has not yet listed trace-cmd's per-CPU recorders. These
# recorders never announce themselves.
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
# trace-cmd starts the runner with the path of trace-cmd-record-skb. Mount a script that only sleeps over
# this path, so that trace-cmd starts the script. Start the real program through a file descriptor.
exec {itself}<"$program"
mount --bind "$OUT/runner" "$program"
"/proc/self/fd/$itself" "${few[@]}" -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
cli=$!
wait_for "the process in place of the runner" test -s "$OUT/stand-in"
wait_for "trace-cmd's recorders" recorders_read
killed trace-cmd
umount "$program"
exec {itself}<&-
wait "$cli" 2>/dev/null || :
kill -KILL "$(cat "$OUT/stand-in")"
wait_for "the end of all, after SIGKILL of trace-cmd before it had begun" disarmed
settings_restored "after SIGKILL of trace-cmd at its start"
rm -f "$OUT"/trace.dat*
stream_ends

next_is_right
! grep -q '^record_skb ' /proc/modules || modprobe -r record_skb
