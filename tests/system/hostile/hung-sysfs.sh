#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a session is armed although file systems that never answer are mounted over parts of /sys

. "$(dirname "$0")/../lib/lib.sh"

modprobe fuse || skip "no FUSE"
modprobe record_skb
at_exit modprobe -r record_skb
# No process reads the requests of the kernel from these two files. So each access to the file systems waits for ever.
exec 7<>/dev/fuse 8<>/dev/fuse
cat >"$OUT/command" <<END
options=rootmode=40000,user_id=0,group_id=0
mount -i -t fuse -o fd=7,\$options none /sys/module
mount -i -t fuse -o fd=8,\$options none /sys/kernel/btf
exec "$(program ioctl)" cycle 1
END
is "$(status_of timeout -k 1 120 unshare -m bash -e "$OUT/command")" 0 "armed and disarmed"
