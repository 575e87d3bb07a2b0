#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb explains each drop reason of this kernel, and each counter in its commands exists
# requires: nstat
# tags: long

. "$(dirname "$0")/../lib/lib.sh"

[ -e /sys/kernel/btf/vmlinux ] || skip "this kernel has no BTF"
table=$here/../../../report/model/causes.c
# MAX and SUBSYS_MASK are not reasons for a drop. The table lacks GENERIC, because it means the same as
# QDISC_DROP.
"$(program drop-reasons)" | grep -vxE 'MAX|SUBSYS_MASK|QDISC_DROP \(\* (UNSPEC|MAX|GENERIC)\)' >"$OUT/reasons"
number=$(wc -l <"$OUT/reasons")
[ "$number" -ge 60 ] || fail "too few reasons: $number"
missing=$(while IFS= read -r reason; do grep -qF "	{ \"$reason\"," "$table" || echo "$reason"; done <"$OUT/reasons")
is "$missing" "" "all $number reasons of the kernel are in the table"

# Check that each counter in a command exists. Only the newest kernel has the counters of all drop reasons.
case $VM_KERNEL in
newest*) ;;
*) exit 0 ;;
esac
nstat -asz | awk '{ print $1 }' >"$OUT/counters"
names=$(grep -hoE 'nstat -asz [A-Za-z0-9% ]*[A-Za-z0-9]|MD5\("[A-Za-z]+' "$table" "${table%causes.c}call_causes.c" |
	sed 's/nstat -asz //; s/MD5("/TcpExtTCPMD5/' | tr ' ' '\n' | grep -vx TcpExtTCPMD5 | sed 'h; s/%6//; s/%e/Ext/; p; g; s/%[6e]/6/' | sort -u)
[ "$(wc -w <<<"$names")" -ge 35 ] || fail "too few counters: $names"
missing=$(for name in $names; do grep -qx "$name" "$OUT/counters" || echo "$name"; done)
is "$missing" "" "all $(wc -w <<<"$names") counters that the commands name exist"
