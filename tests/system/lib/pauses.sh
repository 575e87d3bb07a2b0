# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# pauses.sh - count the tasks for which function_graph is paused (see pauses.c), beside traffic and forks
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

insmod "$(made_on_host pauses.ko)"
at_exit rmmod pauses

# counts: set $tasks, $paused and $odd to the numbers of tasks, of paused tasks, and of tasks with a pause
# count that should never occur (see pauses.c)
counts() {
	read -r tasks paused odd </sys/module/pauses/parameters/now
}
no_task_is_paused() {
	counts
	[ "$paused" = 0 ]
}
# At any time, a few tasks are not paused: children that the module has not paused yet, and tasks inside a
# gate.
nearly_all_are_paused() {
	counts
	[ "$((paused + 8))" -ge "$tasks" ]
}
given_back() { # WHEN
	no_task_is_paused || fail "$1 $paused of $tasks tasks are paused"
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
