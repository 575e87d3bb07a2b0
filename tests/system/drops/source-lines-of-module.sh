#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb shows the source line of a drop in a module, from a debug file with the recorded build ID
# requires: as ld addr2line nft
# tags: slow
# timeout: 240

. "$(dirname "$0")/../lib/lib.sh"
. "$here/debug-files.sh"

modprobe tunnel4
trace-cmd record-skb -q -o "$OUT/tunnel.dat" 'ip proto 4' -- bash -c 'echo 12345678901234567890 | socat - IP4-SENDTO:127.0.0.1:4' 2>/dev/null
at=$(place tunnel)
echo "$at"
is "${at%+*}" tunnel4_rcv "the module drops it"
fake "/usr/lib/debug/lib/modules/$(uname -r)/kernel/net/ipv4/tunnel4.ko" \
	"$(build_id /sys/module/tunnel4/notes/.note.gnu.build-id)" tunnel4_rcv "${at#*+}"
shown=$(dropped tunnel)
has "$shown" "tunnel4_rcv\\+${at#*+} \\(net/ipv4/tunnel4_rcv.c:77\\)" "the line in the module"
has "$shown" "source lines: from .*/tunnel4.ko, which has the recorded build ID" "by the module's build ID"

# This recording lacks the addresses of the modules, as after a killed recorder. For a drop in a module, the
# report must then not use the kernel's file, which may have another function with the same name. The
# recording also lacks the build ID, so the report compares only the kernel's release.
trace-cmd convert --file-version 6 -i "$OUT/tunnel.dat" -o "$OUT/unnamed.dat" >/dev/null
LC_ALL=C sed -i 's/\.kernel\.\([0-9a-f]\)/.xernel.\1/; s/\.module\.\([a-z0-9_]*\.[0-9a-f]*-\)/.xodule.\1/' "$OUT/unnamed.dat"
printf '%s\n' '.section .rodata,"a"' ".ascii \"Linux version $(uname -r) \"" >"$OUT/release.s"
fake "$OUT/vmlinux" 00 tunnel4_rcv "${at#*+}" "$OUT/release.s"
is "$(place unnamed)" "$at" "the recording without the builds has the place of the drop"
shown=$(dropped unnamed --vmlinux "$OUT/vmlinux")
has "$shown" "dropped in tunnel4_rcv" "the drop is in the module"
has_not "$shown" ":77" "no line of the kernel for a module"
