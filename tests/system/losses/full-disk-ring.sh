#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if the disk is too small for the file of a ring, one clear error is printed, and the files of earlier rings are kept
# tags: slow
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/small-disk.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000

# A ring is written to the disk only after it has ended.
ring=("${record[@]}" --ring 512K)

# incident: send more packets than the ring can hold, and then the packet that ends the ring
incident() {
	in_a "$traffic" talk 10.9.0.2 60 9000
	in_a bash -c 'echo >/dev/udp/10.9.0.2/9002'
}

# kept WHAT [KB]: record two rings, and check that the file of the first ring is kept. During the second
# ring, the disk has KB kilobytes of space. By default, it has a little more space than the first file
# needs.
kept() {
	local status=0
	mount -o remount,size=64m "$OUT/small"
	"${ring[@]}" --keep 1 --until 'match=udp dst port 9002' 2>"$OUT/said" &
	recorder=$!
	at_exit stop "$recorder"
	wait_for "a recording" grep -q '^trace-cmd record-skb: recording until' "$OUT/said"
	incident
	wait_for "the first ring's file" eval "grep -q ' matched: ' '$OUT/said' && [ \$(cat $tracing/tracing_on) = 1 ] && armed"
	whole=$(ls "$OUT/small")
	size=$(($(stat -c %s "$OUT/small/$whole") / 1024))
	room "${2:-$((size + 100))}"
	incident
	wait_for "the recorder's end" eval "! kill -0 $recorder 2>/dev/null || [ \$(grep -c ' matched: ' '$OUT/said') = 2 ]"
	is "$(grep -c ' matched: ' "$OUT/said")" 1 "rings reported with a file"
	wait "$recorder" || status=$?
	refused_by_disk "$1" "$status" "$OUT/said"
	is "$(ls -A "$OUT/small")" "$whole" "what is left on the disk"
	trace-cmd report-skb --list -i "$OUT/small/$whole" >"$OUT/packets" 2>"$OUT/losses"
	has "$(cat "$OUT/losses")" '^the ring ended by #' "the file can be read"
	mount -o remount,size=64m "$OUT/small"
	rm "$OUT/small/$whole"
}

kept "no room for the parts of a ring" 32
kept "room for the beginning of a ring's file"

# The disk has space for the parts of a ring. It has no space for the parts and the file that is made of
# them. But if the packets of the next ring are on fewer CPUs, the ring needs only half of the space. Then
# its file must be complete.
room 65536
for quarters in 5 3 0; do
	status=$(status_of "${ring[@]}" -- ip netns exec A "$traffic" talk 10.9.0.2 60 9000)
	[ "$status" = 0 ] || break
	has "$(trace-cmd report-skb --list -i "$OUT/small/trace.dat" 2>&1)" 'no entries lost|the ring' "a file that had space is complete"
	size=$(($(stat -c %s "$OUT/small/trace.dat") / 1024))
	rm "$OUT/small/trace.dat"
	room $((size * quarters / 4))
done
refused_by_disk "without --keep" "$status" "$OUT/stderr"
is "$(ls -A "$OUT/small")" "" "what is left on the disk"
