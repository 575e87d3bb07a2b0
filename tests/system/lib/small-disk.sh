# SPDX-License-Identifier: GPL-2.0
# small-disk.sh - a small disk at $OUT/small, shared by the tests of a full disk
# shellcheck disable=SC2034,SC2154 # lib.sh or the test sets or uses these variables.

mkdir "$OUT/small"
mount -t tmpfs -o size=32k none "$OUT/small"
at_exit umount "$OUT/small"

# refused_by_disk WHAT STATUS SAID: check the exit status and the output of a recording that ran out of space
refused_by_disk() {
	is "$2" 125 "$1: exit status"
	has "$(tail -n 1 "$3")" '^trace-cmd record-skb: ' "the last line is ours"
	has "$(cat "$3")" 'No space left|full|cannot be read back' "the message gives the reason"
}

# room KB: fill the disk so that KB kilobytes of space are left
room() {
	local used
	used=$(df -k --output=used "$OUT/small" | tail -n 1)
	mount -o remount,size=$((used + $1))k "$OUT/small"
}

# The arguments of a recording to this disk.
record=(trace-cmd record-skb "${few[@]}" -o "$OUT/small/trace.dat" -p 9000-9002 --compression none)
