#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: generic and native XDP programs are attached to a veth and detached while packets of this veth are recorded
# requires: nft
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/arrivals.sh"

two_namespaces
echo_server B 9000
xdp=$(program xdp)
traffic=$(program traffic)
background in_b "$traffic" hoard 9001 100000
wait_for "a receiver on port 9001" udp_listening B 9001
count_arrivals
background_stream -c

trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" 'port 9000 or port 9001' 2>"$OUT/said" &
recording=$!
wait_for "the recording" armed
for mode in generic native generic native; do
	was=$(came)
	rm -f "$OUT/attached"
	ip netns exec B "$xdp" "$mode" drop vb 9001 >"$OUT/attached" &
	program=$!
	at_exit stop $program
	wait_for "XDP, $mode" grep -q attached "$OUT/attached"
	in_a "$traffic" number 10.9.0.2 9001 20
	traffic_goes_on "through XDP, $mode"
	is $(($(came) - was)) 0 "XDP, $mode: packets that arrive although it drops them"
	stop $program
	in_a "$traffic" number 10.9.0.2 9001 20
	traffic_goes_on "without XDP"
	is $(($(came) - was)) 25 "packets that arrive without XDP"
done
kill -INT $recording
status=0
wait $recording || status=$?
is "$status" 0 "the recording ends"
stream_ends

next_is_right
