#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if the disk is full, one clear error is printed, tracing is restored, and no partial trace is left
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/small-disk.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000

status=$(status_of in_a trace-cmd record-skb "${few[@]}" -o "$OUT/small/trace.dat" -p 9000 -- "$traffic" talk 10.9.0.2 3 9000)
refused_by_disk "no room" "$status" "$OUT/stderr"
is "$(ls -A "$OUT/small")" "" "what is left on the disk"
wait_for "an end of all" unrecorded

# With enough space, the next recording works.
mount -o remount,size=64m "$OUT/small"
is "$(status_of "${record[@]}" -- ip netns exec A "$traffic" talk 10.9.0.2 60 9000)" 0 "the next recording, with room"
size=$(($(stat -c %s "$OUT/small/trace.dat") / 1024))
rm "$OUT/small/trace.dat"

# The disk has space for the parts and for the beginning of the file, but not for the whole file. In this
# case, trace-cmd without record-skb would make a file without any entry.
room $((size + size / 4))
status=$(status_of "${record[@]}" -- ip netns exec A "$traffic" talk 10.9.0.2 60 9000)
refused_by_disk "room for the beginning" "$status" "$OUT/stderr"
is "$(ls -A "$OUT/small")" "" "what is left on the disk"

# The user's output file is a symbolic link. The parts are beside its target.
room $((size / 2))
ln -s "$OUT/small/trace.dat" "$OUT/link.dat"
status=$(status_of "${record[@]/small\/trace/link}" -- ip netns exec A "$traffic" talk 10.9.0.2 60 9000)
refused_by_disk "by a link" "$status" "$OUT/stderr"
[ -L "$OUT/link.dat" ] && ! [ -e "$OUT/link.dat" ] || fail "the link: $(ls -l "$OUT/link.dat" "$OUT/small")"
