#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: when one of two shared recordings ends, the module stays attached only to functions of the other one; BPF is attached to a probe point that only one of them uses
# kernels: 6.12 6.12-rt 7.2 newest
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
echo_server B 9000
others=$(program others)
cd "$OUT"

# record NAME ARGS…: start a recording, and set $pid to its PID
record() {
	ip netns exec A trace-cmd record-skb --shared --detail path -o "$1.dat" "${@:2}" 2>"$1.said" &
	pid=$!
	at_exit stop $pid
	wait_for "$1" grep -q 'recording until' "$1.said"
}
enabled() {
	grep -c '^[^[:space:]]' "$tracing/enabled_functions"
}

record first -p 9000
first=$pid
record second -p 9001
second=$pid
both=$(enabled)

# __sys_sendto is a probe point only if a recording runs a command. Attach BPF's fexit to this function.
hold=$(mktemp -u)
mkfifo "$hold"
at_exit rm -f "$hold"
"$others" __sys_sendto <"$hold" >bpf &
bpf=$!
at_exit stop $bpf
exec 7>"$hold"
there() { grep -qE '^__sys_sendto \([0-9]+\).* D' "$tracing/enabled_functions"; }
wait_for "BPF" there
is "$(status_of trace-cmd record-skb --shared -o third.dat -- true 7>&-)" 125 "a third with points of BPF's is refused"
has "$(cat stderr)" '^trace-cmd record-skb: a BPF program \(fentry or fexit\) is attached to __sys_sendto' "the message names the function"
is "$(wc -l <stderr)" 1 "lines of complaint"
[ ! -e third.dat ] || fail "it left a file"
exec 7>&-
wait $bpf || fail "BPF"
is "$(status_of trace-cmd record-skb --shared -o third.dat -- true)" 0 "a shared recording without BPF"

kill -INT $first
wait $first || fail "$(cat first.said)"
[ "$(enabled)" -le "$both" ] || fail "$(enabled) functions are traced, $both were during both recordings"
ok "no more functions are traced than before"
kill -INT $second
wait $second || fail "$(cat second.said)"
