#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: armed and disarmed while somebody attaches BPF to a point and takes it away, without a pause: both have their way
# requires: /sys/kernel/btf/vmlinux
# timeout: 100

. "$(dirname "$0")/lib.sh"

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
# Each time it has the lock of the point's trampoline and waits for the one that whoever arms has: ftrace says "again".
"$others" ip_rcv again <"$hold" >"$OUT/times" &
somebody=$!
at_exit stop $somebody
exec 7>"$hold"
wait_for "somebody's BPF" there
is "$(status_of "$ioctl" cycle "$cycles" 7>&-)" 0 "$cycles times armed and disarmed"
exec 7>&-
wait $somebody
times=$(tail -n 1 "$OUT/times")
[ "${times:-0}" -gt "$cycles" ] || fail "BPF came only $times times"
ok "BPF came and went $times times meanwhile"
traffic_goes_on "after it"
stream_ends
