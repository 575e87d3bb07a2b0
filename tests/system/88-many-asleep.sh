#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: 50 readers asleep in gates at the end: nobody waits for them, the next recording is right, the module goes with the last
# timeout: 300

. "$(dirname "$0")/lib.sh"

# 89-thousands-asleep.sh has more.
readers=${READERS:-50}
two_namespaces
echo_server B 9000
tasks=$(program tasks)
background_stream
tracing_settings >"$OUT/before"

unloaded() {
	! grep -q '^record_skb ' /proc/modules
}
# in_gates: how many of them sleep in the kernel with one of the module's functions around it
in_gates() {
	grep -l record_skb /proc/"$sleepers"/task/*/stack | wc -l
}
# Reading a stack takes a while where there are thousands: only when all are there. One more waits for the others.
all_asleep() {
	[ "$(find "/proc/$sleepers/task" -mindepth 1 -maxdepth 1 | wc -l)" = $((readers + 1)) ] && [ "$(in_gates)" = "$readers" ]
}

trace-cmd record-skb -l udp_recvmsg -l udpv6_recvmsg -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
cli=$!
wait_for "the recording" armed
ip netns exec A "$tasks" asleep 10.9.0.2 9000 "$readers" &
sleepers=$!
at_exit stop $sleepers
wait_for "$readers readers asleep in gates" all_asleep
traffic_goes_on "beside them"

begin=$SECONDS
kill -INT "$cli"
status=0
wait "$cli" || status=$?
is "$status" 0 "the recording ends"
[ $((SECONDS - begin)) -lt 60 ] || fail "ending took $((SECONDS - begin)) seconds"
has "$(cat "$OUT/said")" 'stays for now' "it says that the module stays"
is "$(in_gates)" "$readers" "all of them sleep on in gates"
tracing_settings >"$OUT/after"
diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "tracing is not as it was"
ok "tracing is as it was"
is "$(redirected)" "" "points that are live"
! rmmod record_skb 2>"$OUT/rmmod" || fail "the module was taken from under them"
traffic_goes_on "when it is over"
stream_ends

next_is_right

kill -KILL $sleepers
wait $sleepers 2>/dev/null || :
wait_for "the module to be gone by itself" unloaded
ok "the module goes when all have left their gates"
