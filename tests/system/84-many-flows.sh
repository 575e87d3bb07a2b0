#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: more flows come to a followed server than there is room for: later ones are learned all the same
# timeout: 300

. "$(dirname "$0")/lib.sh"

two_namespaces
traffic=$(program traffic)
tasks=$(program tasks)
ioctl=$(program ioctl)

# What comes to the second server's port makes flows, and no more work than that.
in_b bash -c '"$0" answers 9001 & echo $! >"$2"; exec "$1" echo 9000' "$tasks" "$traffic" "$OUT/second" &
server=$!
at_exit stop $server
wait_for "the server" listening B 9000
wait_for "the second server" udp_listening B 9001
second=$(cat "$OUT/second")
at_exit stop "$second"
kill -STOP "$second"
pid=$(in_b ss -Hltnp 'sport = :9000' | sed -n 's/.*pid=\([0-9]*\).*/\1/p')

modprobe record_skb
at_exit modprobe -r record_skb
coproc "$ioctl" follow "$pid"
device=$COPROC_PID
at_exit wait "$device"
# asked: "PACKETS FLOWS-GIVEN-UP", until now
asked() {
	echo >&"${COPROC[1]}"
	read -r line <&"${COPROC[0]}"
	echo "$line"
}
packets() {
	asked | cut -d ' ' -f 1
}
# fetched: how many packets of a connection match
fetched() {
	local before
	before=$(packets)
	in_a "$tasks" fetch 10.9.0.2 9000
	echo $(($(packets) - before))
}

usual=$(fetched)
[ "$usual" -ge 8 ] || fail "only $usual packets of a connection match"
sent=$(in_a cat /sys/class/net/va/statistics/tx_packets)
in_a "$traffic" crowd 10.9.0.2 9001 60000
sent=$(($(in_a cat /sys/class/net/va/statistics/tx_packets) - sent))
[ "$sent" -gt 50000 ] || fail "only $sent packets were sent"
[ "$(asked | cut -d ' ' -f 2)" -gt 10000 ] || fail "no flow was given up: $(asked)"
as_usual() {
	[ "$(fetched)" = "$usual" ]
}
WAIT_SECONDS=20 wait_for "a connection whose $usual packets match" as_usual
ok "a connection after $sent others is learned"
kill -CONT "$second"
eval "exec ${COPROC[1]}>&-"
wait "$device"
