#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: function_graph is paused for every task while armed, and for none afterwards: forks, SIGKILL
# kernels: 6.1 6.1-rt 6.12 6.12-rt
# timeout: 400

. "$(dirname "$0")/lib.sh"

insmod "$(made_on_host pauses.ko)"
at_exit rmmod pauses

# The kernel's own counters: tasks, how many of them are paused, how many have a count that is nobody's.
counts() {
	read -r tasks paused odd </sys/module/pauses/parameters/now
}
nobody_is_paused() {
	counts
	[ "$paused" = 0 ]
}
# A child may be between its copy and its mark, and a task in an open gate.
nearly_all_are_paused() {
	counts
	[ "$((paused + 8))" -ge "$tasks" ]
}
given_back() { # WHEN
	nobody_is_paused || fail "$1 $paused of $tasks tasks are paused"
	[ "$odd" = 0 ] || fail "$1 $odd of $tasks tasks have a count that is nobody's"
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
"$ioctl" only 9000 20 >"$OUT/paused" || fail "$(cat "$OUT/paused")"
given_back "after 20 armings under forks"

"$ioctl" only 9000 1000000 >"$OUT/paused" 2>&1 &
recorder=$!
wait_for "everybody to be paused" nearly_all_are_paused
ok "while armed $paused of $tasks tasks are paused"
kill -9 "$recorder"
wait "$recorder" || :
wait_for "nobody to be paused" nobody_is_paused
given_back "after SIGKILL"

# With the tracer, gates that end the pause, and readers that sleep in one past the end.
is "$(status_of trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" -p 9000 -- sleep 1)" 0 "a recording"
nothing_lost "$OUT/stderr"
has_not "$(cat "$OUT/stderr")" 'cost more' "it says nothing of a pause that could not be"
given_back "after a recording under forks"
