# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# odd-skbs.sh - a stream from A to B, and unusual skbs to port 9001 of B, which nftables counts
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$here/arrivals.sh"

two_namespaces
echo_server B 9000
traffic=$(program traffic)
count_arrivals
background_stream -c

# twice_arrive: call arrive, once without a recording and once during a recording of the stream and of arrive
twice_arrive() {
	arrive "nothing is recorded"
	start_recording "${few[@]}" -b 16384 'port 9000 or port 9001'
	arrive "all is recorded"
	traffic_goes_on "beside them"
	kill -INT "$recording"
	local status=0
	wait "$recording" || status=$?
	is "$status" 0 "the recording ends"
	stream_ends
	next_is_right
}
