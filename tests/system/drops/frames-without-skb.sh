#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: frames that a native XDP program drops are recorded, although no packet is tracked and no task is inside a gate
# requires: perl
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B (10.6.0.2) tap0

. "$(dirname "$0")/../lib/lib.sh"
. "$here/hook-programs.sh"

modprobe tun
go=$(mktemp -u)
mkfifo "$go"
at_exit rm -f "$go"
exec 8<>"$go"
ip netns exec B perl "$here/tap-frames.pl" tap0 10.6.0.2 9001 8 <"$go" &
at_exit stop $!
tap_there() {
	in_b test -e /sys/class/net/tap0
}
wait_for "the device tap0" tap_there
ip -n B address add 10.6.0.2/24 dev tap0
ip -n B link set tap0 up

begin_programs B xdp-native tap0 fw_main 1 9001
start_recording --detail net --why 'udp port 9001'
# The module clears its flags for tracked packets and gates four times a second. A call of its own would set
# them again, so only wait.
pause "$(as_long 2)"
read_runs
before=$runs
echo >&8
eight_ran() {
	read_runs
	[ $((runs - before)) -ge 8 ]
}
wait_for "the runs" eight_ran
stop_recording
trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
cat "$OUT/packets"
is "$(grep -cE "^ +[0-9]+ .*dropped by XDP program fw_main \\(id $id\\) on tap0" "$OUT/packets" || :)" $((runs - before)) \
	"packets that the program dropped, as the kernel counts its runs"
end_programs
