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

# refused_by_bpf FUNCTION: check that another recording is refused while BPF's fexit is attached to FUNCTION
refused_by_bpf() {
	local hold bpf
	hold=$(mktemp -u)
	mkfifo "$hold"
	at_exit rm -f "$hold"
	"$others" "$1" <"$hold" >bpf &
	bpf=$!
	at_exit stop $bpf
	exec 7>"$hold"
	wait_for "BPF" grep -qE "^$1 .*\([0-9]+\).* D" "$tracing/enabled_functions"
	is "$(status_of trace-cmd record-skb --shared -o third.dat -- true 7>&-)" 125 "a third with points of BPF's is refused"
	has "$(cat stderr)" "^trace-cmd record-skb: a BPF program \\(fentry or fexit\\) is attached to $1" "the message names the function"
	is "$(wc -l <stderr)" 1 "lines of complaint"
	[ ! -e third.dat ] || fail "it left a file"
	exec 7>&-
	wait $bpf || fail "BPF"
}

# __sys_sendto is a probe point only if a recording runs a command. The module itself adds the function that
# sends a packet, for each type of device; no other recording has seen the new device.
refused_by_bpf __sys_sendto
ip link add new0 type dummy
at_exit ip link del new0
refused_by_bpf dummy_xmit
is "$(status_of trace-cmd record-skb --shared -o third.dat -- true)" 0 "a shared recording without BPF"

kill -INT $first
wait $first || fail "$(cat first.said)"
[ "$(enabled)" -le "$both" ] || fail "$(enabled) functions are traced, $both were during both recordings"
ok "no more functions are traced than before"
kill -INT $second
wait $second || fail "$(cat second.said)"
