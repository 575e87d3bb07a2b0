# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# memory.sh - the memory that the kernel and the recorder of a ring use
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# kernel_memory: print how many KB the kernel uses for itself
# recorder_memory: print how many KB the recorder uses
kernel_memory() {
	awk '$1 ~ /^(SUnreclaim|KernelStack|PageTables|Percpu):$/ { n += $2 } END { print n }' /proc/meminfo
}
recorder_memory() {
	awk '$1 == "VmRSS:" { print $2 }' "/proc/$ring/status"
}

# recorder_grows: add to $recorder_more by how much the recorder's memory has grown since the last call. Large steps
# are no leak: sometimes the recorder's heap has no free block for a list of the kernel's functions. The heap then
# grows by 3 MB on 7.3, and by 1.5 MB or 0.4 MB on 6.1 with PREEMPT_RT. Therefore count these steps in $steps instead.
recorder_grows() {
	local is
	is=$(recorder_memory)
	recorder_was=${recorder_was:-$is}
	if [ $((is - recorder_was)) -gt 256 ]; then
		steps=$((steps + 1))
	else
		recorder_more=$((recorder_more + is - recorder_was))
	fi
	recorder_was=$is
}

# available: print how many KB of memory are available
available() {
	awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo
}
