#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: all tasks are frozen during a recording, as for a suspend: no byte of a stream is lost, and a reader in a gate survives
# requires: /sys/power/pm_test
# tags: slow
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

# Only tasks are frozen, and no device is suspended. The guest's files are on 9p, and virtio's driver for 9p
# does not survive a suspend.

. "$(dirname "$0")/../lib/lib.sh"

echo freezer >/sys/power/pm_test
at_exit sh -c 'echo none >/sys/power/pm_test'
delay=/sys/module/suspend/parameters/pm_test_delay
at_exit sh -c "echo $(cat $delay) >$delay"
echo 1 >$delay
two_namespaces
echo_server B 9000
background_stream -c

trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
recording=$!
wait_for "the recording" armed
in_a "$(program traffic)" read 10.9.0.2 9000 &
reader=$!
at_exit stop $reader
reader_is_there() {
	[ "$(in_b ss -Htn state established 'sport = :9000' | wc -l)" = 2 ]
}
wait_for "a reader" reader_is_there
echo freeze >/sys/power/state
traffic_goes_on "when they are thawed"
has "$(dmesg)" 'suspend debug: Waiting for 1 second' "all tasks were frozen"
kill -0 $reader || fail "the reader has ended"
stop $reader
kill -INT $recording
wait $recording || fail "the recording: $(cat "$OUT/said")"
stream_ends
has "$(cat "$OUT/said")" '[1-9][0-9]* packets matched' "the summary"
balanced "$OUT/trace.dat"

next_is_right
