#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: with --sched, the CPU wait of a reader with low priority is at most that of the kernel's schedstat
# requires: /proc/self/schedstat
# tags: long
# timeout: 180

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/longest-gap.sh"
. "$here/sched.sh"

two_namespaces
warm_up
# All tasks run on one CPU. ksoftirqd receives the packets there. It has a higher priority than the reader,
# and no real-time task delays it.
nice -n -5 sh -c 'while :; do :; done' &
at_exit stop $!
waits=0
for port in 9001 9002 9003; do
	serve $port delayed accept recv 1 send 1 recv 1 delayed send 1
	renice -n 19 -p "$server" >/dev/null
	record_sched $port send 1 recv 1 sleep 200 send 1 recv 1
	wait "$server"
	has "$(trace-cmd report "$gaps/trace.dat")" ' sched: .*asleep' "the trace has sleeping tasks"
	waited=$(at_most 'queued -> read: no CPU')
	delayed=$(between "$gaps/server" 1)
	awk -v waited="$waited" -v delayed="$delayed" 'BEGIN { exit waited > delayed * 1.05 + .5 }' ||
		fail "it waited $waited ms; by schedstat $delayed ms"
	ok "for $waited ms, of $delayed ms by schedstat"
	waits=$(awk -v sum="$waits" -v waited="$waited" 'BEGIN { print sum + waited }')
done
[ "${waits%.*}" -ge 1 ] || fail "it waited $waits ms in all: no task had to wait for a CPU"
