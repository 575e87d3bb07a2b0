#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: one of two that share ends, the other remembers no packets: the module is called at no function but the other's; BPF at a point that one lacks
# kernels: 6.12 6.12-rt 7.2 newest
# timeout: 240

. "$(dirname "$0")/lib.sh"

two_namespaces
echo_server B 9000
others=$(program others)
cd "$OUT"

# record NAME ARGS…: begin a recording, which is $pid
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
record second --no-track -p 9001
second=$pid
both=$(enabled)

# A call that BPF's fexit is at, and a point that the others do not have: those of a command's tasks.
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
has "$(cat stderr)" '^trace-cmd record-skb: somebody has BPF \(fentry or fexit\) at __sys_sendto' "it says where"
is "$(wc -l <stderr)" 1 "lines of complaint"
[ ! -e third.dat ] || fail "it left a file"
exec 7>&-
wait $bpf || fail "BPF"
is "$(status_of trace-cmd record-skb --shared -o third.dat -- true)" 0 "without BPF it may"

kill -INT $first
wait $first || fail "$(cat first.said)"
[ "$(enabled)" -le "$both" ] || fail "$(enabled) functions are traced, $both were while there were two"
ok "no more functions are traced than before"
kill -INT $second
wait $second || fail "$(cat second.said)"
