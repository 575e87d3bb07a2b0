#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: at the highest rate, with a buffer that is too small, each packet is recorded exactly once or counted as lost
# requires: nft
# tags: long
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/flood.sh"

# Count four things in the output of report -R:
# - rows
# - entries that trace-cmd reports as missing
# - reports of missing entries without a number, because the page of the buffer had no space for the number
# - rows of a packet at a probe point where the packet was seen before
cat >"$OUT/count.awk" <<-'END'
	match($0, /\[[0-9]+ EVENTS DROPPED\]/) { lost += substr($0, RSTART + 1) + 0 }
	/\[EVENTS DROPPED\]/ { unknown++ }
	!row() { next }
	{ rows++ }
	event == "packet" && seen[field("pkt"), field("copy"), field("func")]++ { twice++ }
	END { print rows + 0, lost + 0, unknown + 0, twice + 0 }
END

# Record to a file, with trace buffers that are too small.
trace-cmd record-skb --detail path -b 64 -o /tmp/load.dat 'udp portrange 9000-9001' 2>"$OUT/said" &
recorder=$!
at_exit stop $recorder
wait_for "a recording" armed
if [ "$VM_KERNEL" = debug ]; then
	# The debug kernel is so slow that the buffers never fill while other processes read them. So stop
	# these processes.
	readers=$(pgrep -x trace-cmd)
	# shellcheck disable=SC2086 # $readers has several PIDs
	kill -STOP $readers
	flood 20
	# shellcheck disable=SC2086
	kill -CONT $readers
else
	flood 2
fi
kill -INT $recorder
wait $recorder || fail "the recording: $(cat "$OUT/said")"
come=$(packets_of B inet witness come)
read -r rows lost unknown twice < <(trace-cmd report -R -i /tmp/load.dat 2>&1 | awk -f "$here/rows.awk" -f "$OUT/count.awk")
rm /tmp/load.dat
cat "$OUT/said"
is "$(said 'packets matched')" "$come" "packets: as many matched as nftables counted"
is "$(said 'entries recorded')" "$rows" "entries: as many as trace-cmd reads"
[ "$(said lost)" -gt 0 ] || fail "nothing was lost: this was no load"
if [ "$unknown" = 0 ]; then
	is "$(said lost)" "$lost" "lost: as many as trace-cmd finds missing"
else
	[ "$(said lost)" -gt "$lost" ] || fail "$lost and more are missing, and $(said lost) were counted"
	ok "lost: more than the $lost that trace-cmd finds missing, which reports $unknown losses without a number"
fi
is "$twice" 0 "no packet is recorded twice at a point"
