#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: function_graph is paused for all tasks while the module is armed, and for none after SIGKILL of the program that armed it
# kernels: 6.1 6.1-rt 6.12 6.12-rt
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/pauses.sh"

modprobe record_skb
at_exit modprobe -r record_skb
# The check allows that up to 8 tasks are not paused (lib/pauses.sh), so start more than 8 busy tasks. Run
# them on one CPU with low priority, because a busy emulated CPU answers another CPU only ten times a second.
never_asleep=()
stop_busy() {
	[ ${#never_asleep[@]} != 0 ] || return 0
	kill "${never_asleep[@]}"
	wait "${never_asleep[@]}" || [ $? = 143 ]
	never_asleep=()
}
at_exit stop_busy
for _ in {1..10}; do
	taskset -c 0 nice -n 19 bash -c "while :; do :; done" &
	never_asleep+=($!)
done
# The ioctl program would exit at the end of its standard input, so give it an input that never ends.
"$ioctl" hold <&"$never" >"$OUT/paused" 2>&1 &
recorder=$!
wait_for "all tasks to be paused" nearly_all_are_paused
ok "while armed $paused of $tasks tasks are paused"
kill -9 "$recorder"
ends_killed "$recorder"
wait_for "no task to be paused" no_task_is_paused
given_back "after SIGKILL"
stop_busy
