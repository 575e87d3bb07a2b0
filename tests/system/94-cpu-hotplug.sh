#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a CPU goes and comes back while recording, three times, under traffic: the stream is whole, the next recording right
# requires: /sys/devices/system/cpu/cpu1/online
# timeout: 300

. "$(dirname "$0")/lib.sh"

online=/sys/devices/system/cpu/cpu1/online
at_exit sh -c "echo 1 >$online"
two_namespaces
echo_server B 9000
background_stream -c

trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
recording=$!
wait_for "the recording" armed
for round in 1 2 3; do
	echo 0 >$online
	traffic_goes_on "on one CPU ($round)"
	echo 1 >$online
	traffic_goes_on "on both again ($round)"
done
kill -INT $recording
status=0
wait $recording || status=$?
is "$status" 0 "the recording ends"
stream_ends
has "$(cat "$OUT/said")" '[1-9][0-9]* packets matched' "it says what it has"

next_is_right
