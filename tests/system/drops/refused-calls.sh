#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report names the cgroup program that refused a call of connect(), sendto() or bind()
# requires: tc jq
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/hook-programs.sh"

mount_cgroup
# refused HOOK COMMAND…: record COMMAND. The program at HOOK must refuse one of its calls.
refused() {
	local status=0
	begin_programs A "$1" "$cgroup" fw_main 0 9001
	read_runs
	before=$runs
	trace-cmd record-skb --detail net -o "$OUT/trace.dat" -- ip netns exec A "${@:2}" 2>"$OUT/said" || status=$?
	[ "$status" != 0 ] || fail "$1: the command succeeds"
	trace-cmd report-skb --why -i "$OUT/trace.dat" >"$OUT/why"
	cat "$OUT/why"
	read_runs
	[ "$runs" -gt "$before" ] || fail "$1: the program has not run"
	has "$(cat "$OUT/why")" 'returned -EPERM' "$1: the call"
	has "$(cat "$OUT/why")" "the cgroup program fw_main \\(id $id\\), which returned deny" "$1: the program"
	has "$(cat "$OUT/why")" "see: bpftool prog show id $id\$" "$1: the command that shows it"
	end_programs
}
refused connect4 bash -c 'echo >/dev/tcp/10.9.0.2/9001'
refused connect4 bash -c 'echo >/dev/udp/10.9.0.2/9001'
refused sendmsg4 bash -c 'echo | socat - UDP4-DATAGRAM:10.9.0.2:9001'
refused bind4 socat -u UDP4-RECV:9001 -
