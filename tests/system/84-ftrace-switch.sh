#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: while packets are remembered ftrace cannot be switched off; when it is off, arming says so
# timeout: 240

. "$(dirname "$0")/lib.sh"

switch=/proc/sys/kernel/ftrace_enabled
ioctl=$(program ioctl)
two_namespaces
modprobe record_skb
at_exit sh -c 'grep -q "^record_skb " /proc/modules && modprobe -r record_skb; :'
at_exit sh -c "echo 1 >$switch"

# Some kernel (7.3.4) does not do that for anybody: then there is nothing to hold it back for.
if ! echo 0 >"$switch" 2>"$OUT/refused"; then
	has "$(cat "$OUT/refused")" 'Operation not supported' "a kernel that never switches ftrace off"
	is "$(cat "$switch")" 1 "ftrace is on"
	exit
fi
echo 1 >"$switch"

{
	wait_for "matching" armed
	if echo 0 >"$switch"; then
		echo off >"$OUT/answer"
	else
		echo refused >"$OUT/answer"
	fi
	in_a ping -q -c 1 10.9.0.2 >/dev/null
} 2>"$OUT/refused" | "$ioctl" hold >"$OUT/held"
is "$(cat "$OUT/answer")" refused "switching ftrace off while armed"
has "$(cat "$OUT/refused")" 'Device or resource busy' "what the kernel says"
is "$(cat "$switch")" 1 "ftrace is on"

echo 0 >"$switch"
is "$(status_of "$ioctl" hold </dev/null)" 1 "arming while ftrace is off"
has "$(cat "$OUT/stdout")" '^ARM: Device or resource busy' "what the module says"
echo 1 >"$switch"
is "$(status_of "$ioctl" hold </dev/null)" 0 "arming when it is on again"
