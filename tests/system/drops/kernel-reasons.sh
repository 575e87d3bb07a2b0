#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: each reason for which this kernel drops packets has an explanation
# tags: long

. "$(dirname "$0")/../lib/lib.sh"

[ -e /sys/kernel/btf/vmlinux ] || skip "this kernel has no BTF"
table=$here/../../../report/model/causes.c
reasons=$("$(program drop-reasons)" | grep -vx 'MAX\|SUBSYS_MASK')
[ "$(wc -w <<<"$reasons")" -ge 60 ] || fail "too few reasons: $reasons"
missing=$(for reason in $reasons; do grep -q "^	{ \"$reason\"," "$table" || echo "$reason"; done)
is "$missing" "" "all $(wc -w <<<"$reasons") reasons of the kernel are in the table"
