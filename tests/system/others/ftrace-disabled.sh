#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: while a recording tracks packets, ftrace cannot be switched off; if ftrace is off already, arming reports that
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

switch=/proc/sys/kernel/ftrace_enabled
ioctl=$(program ioctl)
two_namespaces
modprobe record_skb
at_exit sh -c 'grep -q "^record_skb " /proc/modules && modprobe -r record_skb; :'
at_exit sh -c "echo 1 >$switch"

# Some kernels, such as 7.3.4, do not allow to switch off ftrace at all. On them, record-skb need not
# prevent it.
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
has "$(cat "$OUT/refused")" 'Device or resource busy' "the error of the kernel"
is "$(cat "$switch")" 1 "ftrace is on"

echo 0 >"$switch"
is "$(status_of "$ioctl" hold </dev/null)" 1 "arming while ftrace is off"
has "$(cat "$OUT/stdout")" '^ARM: Device or resource busy' "the error of the module"
echo 1 >"$switch"
is "$(status_of "$ioctl" hold </dev/null)" 0 "arming after ftrace is switched on again"
