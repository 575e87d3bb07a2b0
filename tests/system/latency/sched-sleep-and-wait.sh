#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --sched distinguishes a sleeping task from a task that waits for a CPU, and agrees with the times in the kernel's schedstat
# requires: tc chrt /proc/self/schedstat
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# vm: --icount --smp 1
# tags: long
# timeout: 30000

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/longest-gap.sh"
. "$here/sched.sh"

two_namespaces
warm_up

# near WHAT IS MS: check that IS differs from MS by at most 5%, or by half a millisecond
near() {
	echo "$1: $2 ms, $3 ms by the witness"
	awk -v is="$2" -v ms="$3" 'BEGIN { d = is - ms; if (d < 0) d = -d; exit !(is != "" && ms != "" && (d <= ms * .05 || d <= .5)) }' ||
		wrong+=("$1: $2 ms, and $3 ms by the witness")
}

# While the reader is in its receive call, a task of higher priority uses the CPU.
for ms in 80 200; do
	serve 9000 accept recv 1 send 1 delayed recv 1 delayed send 1
	record_client 9000 send 1 recv 1 sleep 5 fifo 50 send 1 spin $ms recv 1
	mv "$gaps/trace.dat" "$gaps/without.dat"
	has "$(trace-cmd report-skb --list "$gaps/without.dat" 2>&1 >/dev/null)" 'had no CPU or wanted more' "not known without --sched"
	has_not "$(trace-cmd report "$gaps/without.dat")" ' sched:' "nor recorded"

	serve 9001 accept recv 1 send 1 delayed recv 1 delayed send 1
	record_sched 9001 send 1 recv 1 sleep 5 fifo 50 send 1 spin $ms recv 1
	names "a busy CPU" "$reader_waits" "$(paused "$gaps/printed" 2)"
	near "the reader's wait" "$(waited_for_cpu)" "$(between "$gaps/server" 1)"
	near "the reader's wait in the table" "$(at_most 'queued -> read: no CPU')" "$(between "$gaps/server" 1)"
done

# Again, a task of higher priority uses the CPU, but now the reader sleeps in poll(), which is not a socket
# call.
serve 9002 accept recv 1 send 1 delayed poll delayed recv 1 send 1
record_sched 9002 send 1 recv 1 sleep 5 fifo 50 send 1 spin 100 recv 1
names "a busy CPU and poll()" "$reader_waits" "$(paused "$gaps/printed" 2)"
near "the poller's wait" "$(waited_for_cpu)" "$(between "$gaps/server" 1)"

# A reader that waits for more data sleeps, and does not wait for a CPU. The reader must sleep before data
# arrives, because TCP does not count data that is already in the socket.
serve 9003 accept set lowat 100 delayed recv 100 delayed send 1
record_sched 9003 set nodelay 1 sleep 50 send 50 sleep 100 send 50 recv 1
names "SO_RCVLOWAT" "#[0-9]+: it was in the socket's queue; its reader was in the call for it, and slept: it wanted more .*" "$(paused "$gaps/printed" 2)"
near "the reader's sleep" "$(at_most 'queued -> read: asleep')" "$(paused "$gaps/printed" 2)"
near "and no wait" "$(at_most 'queued -> read: no CPU')" "$(between "$gaps/server" 1)"

# Sender and reader use the same CPU. While the sender is in its call, the reader preempts it and works for
# 100 ms. Linux 6.12, also with PREEMPT_RT, may let the sender's call continue instead.
serve 9004 accept fifo 50 recv 1 spin 100 recv 199999 send 1
record_sched 9004 delayed send 200000 delayed recv 1
preempted=$(between "$gaps/printed" 1)
if [[ $VM_KERNEL != 6.12* ]] || [ "${preempted%.*}" -gt 50 ]; then
	names "a preempted call" "#[0-9]+: .* waited $time_ for a CPU, which steps-[0-9]+ had" "$(paused "$gaps/server")"
	near "the call's wait" "$(waited_for_cpu)" "$preempted"
fi

all_named
