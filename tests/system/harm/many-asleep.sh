#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: 50 readers sleep in gates when a recording ends: the end does not wait for them, and the module is unloaded after the last reader wakes
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

# harm/thousands-asleep sets a larger number of readers.
readers=${READERS:-50}
two_namespaces
echo_server B 9000
tasks=$(program tasks)
background_stream
tracing_settings >"$OUT/before"

unloaded() {
	! grep -q '^record_skb ' /proc/modules
}
# in_gates: print how many readers sleep inside a gate, which is a function of the module
in_gates() {
	grep -l record_skb /proc/"$sleepers"/task/*/stack | wc -l
}
# Reading thousands of stacks takes a while, so read them only when all threads exist. The program has one
# more thread, which waits for the readers.
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
has_not "$(cat "$OUT/said")" 'the module' "no message about the module, because the user need not act"
is "$(in_gates)" "$readers" "readers that still sleep in gates"
tracing_settings >"$OUT/after"
diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "the settings of tracing have changed"
ok "the settings of tracing are restored"
is "$(redirected)" "" "points that are live"
! rmmod record_skb 2>"$OUT/rmmod" || fail "the module was taken from under them"
traffic_goes_on "after the recording"
stream_ends

next_is_right

kill -KILL $sleepers
wait $sleepers 2>/dev/null || :
wait_for "the module to be gone by itself" unloaded
ok "the module goes when all have left their gates"
