#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb shows the source line of a drop in a module, from a debug file with the recorded build ID
# requires: as ld addr2line nft
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
