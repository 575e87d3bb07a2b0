#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: arming and disarming the module succeeds while another process attaches BPF to a probe point and detaches it without a pause
# tags: long
# requires: /sys/kernel/btf/vmlinux
# timeout: 100

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

cycles=${CYCLES:-15}
two_namespaces
echo_server B 9000
ioctl=$(program ioctl)
others=$(program others)
background_stream
modprobe record_skb
at_exit modprobe -r record_skb

hold=$(mktemp -u)
mkfifo "$hold"
at_exit rm -f "$hold"
there() {
	[ -s "$OUT/times" ]
}
# While BPF attaches, it holds the lock of the function's trampoline, and waits for a lock of ftrace. The
# module may hold this lock of ftrace while it arms, and then need the lock of the trampoline. In this case,
# ftrace returns -EAGAIN, and the module must try again.
"$others" ip_rcv again <"$hold" >"$OUT/times" &
other_user=$!
at_exit stop $other_user
exec 7>"$hold"
wait_for "the BPF program of another user" there
is "$(status_of "$ioctl" cycle "$cycles" 7>&-)" 0 "$cycles times armed and disarmed"
exec 7>&-
wait $other_user
times=$(tail -n 1 "$OUT/times")
[ "${times:-0}" -gt "$cycles" ] || fail "BPF was attached only $times times"
ok "BPF was attached and detached $times times during the recordings"
traffic_goes_on "after it"
stream_ends
