#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a CPU goes offline and online three times during a recording under traffic: no byte is lost, and the next recording is right
# requires: /sys/devices/system/cpu/cpu1/online
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

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
has "$(cat "$OUT/said")" '[1-9][0-9]* packets matched' "the summary"

next_is_right
