#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What a packet that does not match costs, in instructions: a UDP packet from send() to recv() over lo, without
# recording, and while other packets are recorded. For a guest with --icount and one CPU; see tests/bench/run.
set -eu

loop=/tmp/loop
gcc -O1 -o "$loop" "$(dirname "$0")/loop.c"
ip link set lo up

armed() {
	grep -q record_skb /sys/kernel/tracing/enabled_functions
}

# during ARGS…: while this is recorded.
during() {
	local recording
	trace-cmd record-skb -q -o "$OUT/trace.dat" --detail path "$@" &
	recording=$!
	until armed; do
		kill -0 "$recording"
		sleep 0.1
	done
	"$loop" 7001 2000
	kill -INT "$recording"
	wait "$recording"
}

# say WHAT INSTRUCTIONS
say() {
	printf '%-40s %6d instructions\n' "$1" "$2"
}

say "without recording" "$("$loop" 7001 2000)"
say "while port 9000 is recorded" "$(during -p 9000)"
say "while a payload is looked for" "$(during 'udp[8:4] = 0x01020304')"
say "while another process is followed" "$(during -P 1)"
