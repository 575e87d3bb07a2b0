#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a full disk causes one clear error, restores tracing, leaves no partial trace, and keeps the files of earlier rings
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000
mkdir "$OUT/small"
mount -t tmpfs -o size=32k none "$OUT/small"
at_exit umount "$OUT/small"

# refused_by_disk WHAT STATUS SAID: check the exit status and output of a recording that had no space
refused_by_disk() {
	is "$2" 125 "$1: exit status"
	has "$(tail -n 1 "$3")" '^trace-cmd record-skb: ' "the last line is ours"
	has "$(cat "$3")" 'No space left|full|cannot be read back' "the message gives the reason"
}

status=$(status_of in_a trace-cmd record-skb "${few[@]}" -o "$OUT/small/trace.dat" -p 9000 -- "$traffic" talk 10.9.0.2 3 9000)
refused_by_disk "no room" "$status" "$OUT/stderr"
is "$(ls -A "$OUT/small")" "" "what is left on the disk"
wait_for "an end of all" unrecorded

# room KB: leave this much space on the disk
room() {
	local used
	used=$(df -k --output=used "$OUT/small" | tail -n 1)
	mount -o remount,size=$((used + $1))k "$OUT/small"
}

# With enough space it works.
mount -o remount,size=64m "$OUT/small"
record=(trace-cmd record-skb "${few[@]}" -o "$OUT/small/trace.dat" -p 9000-9002 --compression none)
is "$(status_of "${record[@]}" -- ip netns exec A "$traffic" talk 10.9.0.2 60 9000)" 0 "the next recording, with room"
size=$(($(stat -c %s "$OUT/small/trace.dat") / 1024))
rm "$OUT/small/trace.dat"

# The parts and the beginning of the file fit on the disk, but not all of it. trace-cmd would make a file without
# a single entry then.
room $((size + size / 4))
status=$(status_of "${record[@]}" -- ip netns exec A "$traffic" talk 10.9.0.2 60 9000)
refused_by_disk "room for the beginning" "$status" "$OUT/stderr"
is "$(ls -A "$OUT/small")" "" "what is left on the disk"

# The output is a symbolic link of the user's, and the parts are beside its target.
room $((size / 2))
ln -s "$OUT/small/trace.dat" "$OUT/link.dat"
status=$(status_of "${record[@]/small\/trace/link}" -- ip netns exec A "$traffic" talk 10.9.0.2 60 9000)
refused_by_disk "by a link" "$status" "$OUT/stderr"
[ -L "$OUT/link.dat" ] && ! [ -e "$OUT/link.dat" ] || fail "the link: $(ls -l "$OUT/link.dat" "$OUT/small")"

# A ring is written to the disk only when it has ended.
ring=("${record[@]}" --ring 512K)

# incident: send more than the ring holds, and the packet that ends it
incident() {
	in_a "$traffic" talk 10.9.0.2 60 9000
	in_a bash -c 'echo >/dev/udp/10.9.0.2/9002'
}

# kept WHAT [KB]: record two rings. The second has KB of space, or as much as the first one's file and a little
# more. The first one's file is kept in any case.
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

# The disk has space for the parts of a ring but not for the file. If the packets of the next ring are on fewer CPUs, the
# ring needs half of the space, and then its file is complete.
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
