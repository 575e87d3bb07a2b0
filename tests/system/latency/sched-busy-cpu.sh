#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: with --sched, the report names a task that waited for a CPU; the wait is at most that of the kernel's schedstat
# tags: long
# requires: chrt /proc/self/schedstat
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# timeout: 180

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/longest-gap.sh"
. "$here/sched.sh"

two_namespaces
warm_up
# This test does not run on the debug kernel: there, ksoftirqd receives the packets and would wait for the
# same CPU. The wait of 300 ms is longer than any other delay here. A real-time task may use a CPU for 300
# ms in each second.
ms=300
for port in 9001 9002 9003; do
	for try in 0 100 200 300 400; do
		at=$((port + try))
		serve $at accept recv 1 send 1 delayed recv 1 delayed send 1
		record_sched $at send 1 recv 1 sleep $((ms / 2)) fifo 50 send 1 spin $ms recv 1
		line=$(trace-cmd report-skb --list "$gaps/trace.dat" 2>&1 >/dev/null | grep '^longest') || line="no line"
		# If the whole machine paused, the data may arrive while the reader is not in its receive
		# call. The call then does not wait for a CPU, so try again.
		grep -q 'no program had read it' <<<"$line" || break
	done
	has "$line" "^longest gap .*: $reader_waits\$" "the task that had the CPU"
	waited=$(waited_for_cpu)
	delayed=$(between "$gaps/server" 1)
	awk -v waited="$waited" -v delayed="$delayed" -v ms="$ms" 'BEGIN { exit waited > delayed * 1.05 || waited < ms * .5 }' ||
		fail "it waited $waited ms; by schedstat $delayed ms, of the $ms ms that another worked"
	ok "for $waited ms, of $delayed ms by schedstat"
done
