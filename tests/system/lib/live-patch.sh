# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# live-patch.sh - live patches of a function (see livepatch.c), which are removed when the test ends
#
# A kernel warning makes the guest panic. So if the guest still runs, the kernel has not warned.

settled() {
	[ "$(cat /sys/kernel/livepatch/livepatch/transition)" = 0 ]
}
gone() {
	[ ! -e /sys/kernel/livepatch/livepatch ]
}
patch() { # FUNCTION
	insmod "$(made_on_host livepatch.ko)" "function=$1"
	wait_for "the live patch of $1" settled
}
unpatch() {
	if [ -e /sys/kernel/livepatch/livepatch ]; then
		echo 0 >/sys/kernel/livepatch/livepatch/enabled
		wait_for "the end of the live patch" gone
		rmmod livepatch
	fi
}
patched_calls() {
	cat /sys/module/livepatch/parameters/calls
}
at_exit unpatch
