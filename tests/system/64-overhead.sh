#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --no-overhead: without what function_graph took, durations are the same with few calls recorded and with many
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# vm: --icount --smp 1
# tags: long
# timeout: 3000

. "$(dirname "$0")/lib.sh"

two_namespaces
# Asking would be other work.
neighbours_known
traffic=$(program traffic)
ip netns exec B "$traffic" hoard 9000 1000000 &
at_exit stop $!
wait_for "a socket" udp_listening B 9000

# median FIELD FILE: of all packets in JSON. One of them has the clock's tick in it, with PREEMPT_RT 50 us of it.
median() {
	sed -nE "s/.*\"$1\":([0-9]+).*/\\1/p" "$2" | sort -n | awk '{ all[NR] = $1 } END { if (!NR) exit 1; print all[int((NR + 1) / 2)] }'
}

# recorded DETAIL: how long functions worked for each of 50 datagrams, into $with and $without, in how many $calls
recorded() {
	trace-cmd record-skb --calibrate --detail "$1" -o "$OUT/$1.dat" udp dst port 9000 -- \
		ip netns exec A "$traffic" number 10.9.0.2 9000 50 >"$OUT/printed" 2>"$OUT/said" || fail "$1: $(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	trace-cmd report-skb "$OUT/$1.dat" --json >"$OUT/with" 2>"$OUT/said"
	trace-cmd report-skb "$OUT/$1.dat" --json --no-overhead >"$OUT/without" 2>"$OUT/said"
	has "$(cat "$OUT/said")" '^no overhead: of each function [1-9][0-9]* ns are taken off, and [1-9][0-9]* ns for each that it called$' \
		"$1: how much is taken off"
	with=$(median stack_ns "$OUT/with")
	without=$(median stack_ns "$OUT/without")
	calls=$(median calls "$OUT/with")
	echo "$1: $calls calls take $with ns, and $without ns without the overhead"
}

# So that all is in memory.
ip netns exec A "$traffic" number 10.9.0.2 9000 5 >"$OUT/printed"
recorded path
path_with=$with path_without=$without path_calls=$calls
recorded net
[ "$calls" -gt $((path_calls * 2)) ] && [ "$with" -gt $((path_with * 3 / 2)) ] ||
	fail "too few calls more to judge by: $path_calls and $calls"
awk -v a="$path_without" -v b="$without" 'BEGIN { exit !(a > 0 && a < b * 1.05 && b < a * 1.05) }' ||
	fail "with few calls recorded they take $path_without ns, with many $without"
ok "$path_calls calls and $calls calls for the same work take as long, to 5%"

# What the stacks of all packets have is what the packets have.
is "$(trace-cmd report-skb "$OUT/net.dat" --folded --no-overhead 2>"$OUT/said" | awk '{ sum += $NF } END { print sum }')" \
	"$(sed -nE 's/.*"stack_ns":([0-9]+).*/\1/p' "$OUT/without" | awk '{ sum += $1 } END { print sum }')" \
	"--folded has the same time"

is "$(status_of trace-cmd report-skb "$OUT/net.dat" --latency --no-overhead)" 125 "what shows no functions refuses it"
is "$(status_of trace-cmd report-skb "$here/../golden/6.1.dat" --no-overhead)" 125 "so does a recording that does not know it"
has "$(cat "$OUT/stderr")" "does not say what recording a call cost" "and says why"
