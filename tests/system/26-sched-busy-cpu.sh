#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: with --sched, who had no CPU is named, and waited no longer than the kernel's own schedstat says
# requires: chrt /proc/self/schedstat
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# timeout: 180

. "$(dirname "$0")/lib.sh"
. "$here/longest-gap.sh"
. "$here/sched.sh"

two_namespaces
warm_up
# Not on the debug kernel: there ksoftirqd is to receive what is sent, and waits for the same CPU.
# Longer than anything else takes; less than all that a real-time task may have of a second.
ms=300
for port in 9001 9002 9003; do
	for try in 0 100 200 300 400; do
		at=$((port + try))
		serve $at accept recv 1 send 1 delayed recv 1 delayed send 1
		record_sched $at send 1 recv 1 sleep $((ms / 2)) fifo 50 send 1 spin $ms recv 1
		line=$(trace-cmd report-skb "$gaps/trace.dat" 2>&1 >/dev/null | grep '^longest') || line="no line"
		# A machine that stood still: the reader was not in its call again, and so has waited for nothing.
		grep -q 'nobody had taken it out' <<<"$line" || break
	done
	has "$line" "^longest gap .*: $reader_waits\$" "who had the CPU"
	waited=$(waited_for_cpu)
	delayed=$(between "$gaps/server" 1)
	awk -v waited="$waited" -v delayed="$delayed" -v ms="$ms" 'BEGIN { exit waited > delayed * 1.05 || waited < ms * .5 }' ||
		fail "it waited $waited ms; by schedstat $delayed ms, of the $ms ms that another worked"
	ok "for $waited ms, of $delayed ms by schedstat"
done
