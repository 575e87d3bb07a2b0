#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: with --sched, a reader whom others leave little CPU waited for it, and no longer than the kernel's own schedstat says
# requires: /proc/self/schedstat
# tags: long
# timeout: 180

. "$(dirname "$0")/lib.sh"
. "$here/longest-gap.sh"
. "$here/sched.sh"

two_namespaces
warm_up
# All are on one CPU. What receives for the kernel there, ksoftirqd, has more right to it than the reader, and no real-time task is in
# its way.
nice -n -5 sh -c 'while :; do :; done' &
at_exit stop $!
waits=0
for port in 9001 9002 9003; do
	serve $port delayed accept recv 1 send 1 recv 1 delayed send 1
	renice -n 19 -p "$server" >/dev/null
	record_sched $port send 1 recv 1 sleep 200 send 1 recv 1
	wait "$server"
	has "$(trace-cmd report "$gaps/trace.dat")" ' sched: .*asleep' "who sleeps is there"
	waited=$(at_most 'queued -> read: no CPU')
	delayed=$(between "$gaps/server" 1)
	awk -v waited="$waited" -v delayed="$delayed" 'BEGIN { exit waited > delayed * 1.05 + .5 }' ||
		fail "it waited $waited ms; by schedstat $delayed ms"
	ok "for $waited ms, of $delayed ms by schedstat"
	waits=$(awk -v sum="$waits" -v waited="$waited" 'BEGIN { print sum + waited }')
done
[ "${waits%.*}" -ge 1 ] || fail "it waited $waits ms in all: the test has taken nobody's CPU away"
