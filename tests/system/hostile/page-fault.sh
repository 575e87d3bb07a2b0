#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: while a call of the device waits for memory of its caller, other calls do not wait
# requires: /proc/sys/vm/unprivileged_userfaultfd

. "$(dirname "$0")/../lib/lib.sh"

modprobe record_skb
at_exit modprobe -r record_skb
is "$(status_of "$(program ioctl)" fault)" 0 "calls without memory"
[ ! -s "$OUT/stdout" ] || fail "$(cat "$OUT/stdout")"
