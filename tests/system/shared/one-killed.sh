#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: SIGKILL of the first of two recordings: the other one is right, and restores the settings of both
# requires: nft
# kernels: 6.12 6.12-rt 7.2 newest
# timeout: 480

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/shared-kill.sh"

# Kill the first recording. The other one must restore the shared settings.
begin killed 7001
killed=$pid
begin right 9000
right=$pid
talk
kill -KILL "$killed"
wait_for "the end of its remaining processes" without_number 1
trace-cmd report -i killed.dat >report
has "$(cat report)" "$(line_of tcp_v4_rcv '#* tcp 10.9.0.1:* > 10.9.0.2:7001')" "the packets until then are in the trace"
talk
ends_right
settings_restored
next_is_right
