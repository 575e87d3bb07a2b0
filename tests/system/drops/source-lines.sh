#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb shows the source line of a drop in the kernel, but only from a debug file with the recorded build ID
# requires: as ld addr2line nft
# timeout: 240

. "$(dirname "$0")/../lib/lib.sh"
. "$here/debug-files.sh"

# No socket has port 9, so the kernel drops the datagram.
trace-cmd record-skb -q -o "$OUT/udp.dat" -p 9 -- bash -c 'echo x >/dev/udp/127.0.0.1/9' 2>/dev/null
at=$(place udp)
echo "$at"
function=${at%+*} offset=${at#*+} id=$(build_id /sys/kernel/notes)
is "${#id}" 40 "the kernel has a build ID"
has_not "$(dropped udp)" "source lines|:[0-9]+\)" "without debug information there is no line"

fake "$OUT/vmlinux" "$id" "$function" "$offset"
start=$(nm "$OUT/vmlinux" | awk -v name="$function" '$3 == name { print $1 }')
has "$(addr2line -e "$OUT/vmlinux" "$(printf '%x' $((0x$start + offset - 1)))")" "/net/ipv4/$function.c:77" "addr2line knows it"
shown=$(dropped udp --vmlinux "$OUT/vmlinux")
has "$shown" "dropped in $function\\+$offset \\(net/ipv4/$function.c:77\\):" "the line of the call"
has "$shown" "source lines: from .*/vmlinux, which has the recorded build ID" "the file and how it was compared"
mkdir -p /usr/lib/debug/boot
cp "$OUT/vmlinux" "/usr/lib/debug/boot/vmlinux-$(uname -r)"
has "$(dropped udp)" "\\+$offset \\(net/ipv4/$function.c:77\\):" "the usual place is searched"
rm "/usr/lib/debug/boot/vmlinux-$(uname -r)"

# The report must not use the line of another build, or of another function with the same name.
fake "$OUT/vmlinux" "$(tr 0-9a-f 1-9a-f0 <<<"$id")" "$function" "$offset"
shown=$(dropped udp --vmlinux "$OUT/vmlinux")
has_not "$shown" ":77" "no line from another build"
has "$shown" "source lines: not from .*/vmlinux, which is of another build" "the reason is shown"
printf "%s\n" .text ".type $function, %function" "$function: nop" ".size $function, . - $function" >"$OUT/twin.s"
fake "$OUT/vmlinux" "$id" "$function" "$offset" "$OUT/twin.s"
has_not "$(dropped udp --vmlinux "$OUT/vmlinux")" ":77|source lines: not" "no line if two functions have the name"
fake "$OUT/vmlinux" "$id" "other_$function" "$offset"
has_not "$(dropped udp --vmlinux "$OUT/vmlinux")" ":77" "no line without the function"
has "$(dropped udp --vmlinux "$OUT/none")" "source lines: not from .*/none, which cannot be used" "a file that is not there"
