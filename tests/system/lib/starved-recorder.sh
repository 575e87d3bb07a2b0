# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# starved-recorder.sh - recordings in which some calls of the recorder and its children find no memory
# shellcheck disable=SC2034,SC2154 # lib.sh sets some variables, and the tests use others.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

two_namespaces
echo_server B 9000
background_stream -c

# set_something: make settings of another user that a recording has to change and restore
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

. "$here/failslab.sh"

library=$(program starved.so)
counted=/tmp/starved
numbers() {
	od -An -tu4 $counted
}

# recording AFTER EVERY [WORD=VALUE…]: make a recording during which some calls fail for lack of memory. The
# first AFTER calls succeed, and the next call fails. After that, one call in EVERY calls fails. With EVERY
# 0, no call fails at all. Each WORD is an environment variable.
recording() {
	head -c 8 /dev/zero >$counted
	status=0
	in_a env LD_PRELOAD="$library" STARVED=$counted STARVE_AFTER="$1" STARVE_EVERY="$2" \
		"${@:3}" trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" -p 9000 --until time=1s 2>"$OUT/said" || status=$?
	read -r calls failed < <(numbers)
}

recording 0 0
is "$status" 0 "a recording without failures"
[ "$calls" -gt 100 ] || fail "only $calls calls were counted"
all=$calls
# Save the settings of tracing after the first recording. Before it, they would differ, because the kernel
# allocates the whole trace buffer only in the first recording.
tracing_settings >"$OUT/before"
# as_before: check that the settings of tracing are as they were. $what says for messages which calls have
# failed.
as_before() {
	tracing_settings >"$OUT/after"
	diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "tracing is not as it was, where $what: $(cat "$OUT/said")"
}
