#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: function_graph is paused for each task while the module is armed, and for none afterwards: with forks, after SIGKILL
# kernels: 6.1 6.1-rt 6.12 6.12-rt
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

insmod "$(made_on_host pauses.ko)"
at_exit rmmod pauses

# counts: read the numbers of tasks, of paused tasks, and of tasks with a pause count that no mark explains, from
# the helper module.
counts() {
	read -r tasks paused odd </sys/module/pauses/parameters/now
}
nobody_is_paused() {
	counts
	[ "$paused" = 0 ]
}
# A child may be between its creation and its mark, and a task may be in an open gate.
nearly_all_are_paused() {
	counts
	[ "$((paused + 8))" -ge "$tasks" ]
}
given_back() { # WHEN
	nobody_is_paused || fail "$1 $paused of $tasks tasks are paused"
	[ "$odd" = 0 ] || fail "$1 $odd of $tasks tasks have an unexplained pause count"
	ok "$1 none of $tasks tasks is paused"
}

forks() {
	while :; do
		(:) &
		(: & :)
		/bin/true
		wait
	done
}

two_namespaces
echo_server B 9000
traffic=$(program traffic)
ioctl=$(program ioctl)
background in_a "$traffic" chat 10.9.0.2 9000
background forks
background forks
given_back "before"

modprobe record_skb
at_exit modprobe -r record_skb
"$ioctl" only 9000 8 >"$OUT/paused" || fail "$(cat "$OUT/paused")"
given_back "after 8 armings under forks"

# More than the 8 that may be in between. On one CPU and niced, because a busy emulated CPU answers another only
# ten times a second.
never_asleep=()
stop_busy() {
	[ ${#never_asleep[@]} != 0 ] || return 0
	kill "${never_asleep[@]}"
	wait "${never_asleep[@]}" || :
	never_asleep=()
}
at_exit stop_busy
for _ in {1..10}; do
	taskset -c 0 nice -n 19 bash -c "while :; do :; done" &
	never_asleep+=($!)
done
# The program exits at the end of its standard input.
"$ioctl" hold <&"$never" >"$OUT/paused" 2>&1 &
recorder=$!
wait_for "everybody to be paused" nearly_all_are_paused
ok "while armed $paused of $tasks tasks are paused"
kill -9 "$recorder"
wait "$recorder" || :
wait_for "nobody to be paused" nobody_is_paused
given_back "after SIGKILL"
stop_busy

# With the tracer: gates end the pause of a task, and readers sleep in a gate past the end of the recording.
is "$(status_of trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" -p 9000 -- sleep 1)" 0 "a recording"
nothing_lost "$OUT/stderr"
has_not "$(cat "$OUT/stderr")" 'cost more' "no message about a pause that failed"
given_back "after a recording under forks"
