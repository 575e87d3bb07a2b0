#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a killed trace-cmd leaves a file for each CPU; only root can read these files and the trace.dat that is made from them
# requires: setpriv perl
# tags: long
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/spy.sh"

# After trace-cmd was killed, the recorder makes trace.dat from the per-CPU files.
spy
in_a ping -q -i 0.005 10.9.0.2 >"$OUT/ping" &
at_exit stop $!
trace-cmd record-skb "${few[@]}" --proto icmp 2>"$OUT/said" &
cli=$!
wait_for "a recording" grep -q '^trace-cmd record-skb: recording until' "$OUT/said"
wait_for "packets" grep -q . trace.dat.cpu0 trace.dat.cpu1
pkill -KILL -f '[t]race-cmd record -q'
! wait "$cli" || fail "trace-cmd was killed"
spied_out killed
private killed trace.dat
