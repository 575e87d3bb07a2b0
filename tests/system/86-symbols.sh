#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a file has the symbols of its own functions and no others, a killed recorder's has all; the command notices nothing
# requires: /sys/kernel/btf/vmlinux
# timeout: 900

. "$(dirname "$0")/lib.sh"

cd "$OUT"
two_namespaces
# Loaded all the time, so that its functions' addresses are in /proc/kallsyms when we look.
modprobe record_skb
at_exit modprobe -r record_skb
names=$(program names)

# names_are_right TRACE: libtraceevent, by the symbols in the file, calls each function what /proc/kallsyms does.
names_are_right() {
	"$names" "$1" 2>/dev/null | sort -u >names
	[ "$(wc -l <names)" -gt 10 ] || fail "$1: only $(wc -l <names) functions"
	awk 'FNR == NR { known[$1, $3]; next } !(($1, $2) in known) { print; bad = 1 } END { exit bad }' /proc/kallsyms \
		names >wrong || fail "$1: not their names: $(head -n 5 wrong)"
	ok "$1: $(wc -l <names) functions have their names"
}

# nothing_left: of what stood where trace-cmd looks
nothing_left() {
	[ -z "$(find /run -maxdepth 1 -name 'record-skb*')" ] && ! grep -q kallsyms /proc/self/mountinfo
}

is "$(status_of in_a trace-cmd record-skb --detail net -- ping -q -c 1 10.9.0.2)" 0 "a ping's exit status"
nothing_lost stderr
names_are_right trace.dat
[ "$(stat -c %s trace.dat)" -lt 40000 ] || fail "a ping takes $(stat -c %s trace.dat) bytes"
ok "a ping takes $(stat -c %s trace.dat) bytes"

is "$(status_of in_a trace-cmd record-skb -o full.dat -p 9000 -- ping -q -c 1 10.9.0.2)" 0 "all functions: exit status"
names_are_right full.dat
[ "$(stat -c %s full.dat)" -lt 100000 ] || fail "all functions of a ping take $(stat -c %s full.dat) bytes"
ok "all functions of a ping take $(stat -c %s full.dat) bytes: $(tail -n 3 stderr | tr '\n' ' ')"

is "$(status_of in_a trace-cmd record-skb --detail path --temp /tmp -o elsewhere.dat -- ping -q -c 1 10.9.0.2)" 0 \
	"recorders that write elsewhere: exit status"
names_are_right elsewhere.dat

# What the command sees is what its caller sees, in a root of its own too.
mkdir -p /tmp/root
mount --rbind / /tmp/root
at_exit umount -l /tmp/root
seen='readlink /proc/self/ns/mnt; pwd; stat -c %i /; head -n 1 /proc/kallsyms'
for caller in "sh -c" "chroot /tmp/root sh -c"; do
	wanted=$($caller "cd /usr; $seen")
	is "$($caller "cd /usr; trace-cmd record-skb -q -o /tmp/trace.dat --detail path -- sh -c '$seen'")" "$wanted" \
		"$caller: the command is where its caller is"
done

trace-cmd record-skb --detail path -o killed.dat 'icmp' >/dev/null 2>&1 &
recorder=$!
wait_for "the recording" armed
in_a ping -q -c 1 10.9.0.2
kill -KILL "$recorder"
wait "$recorder" || :
all_ended() {
	[ "$(cat "$tracing/current_tracer")" = nop ] && ! pgrep -f 'trace-cmd.record|record-skb-keep'
}
wait_for "the end of all" all_ended
names_are_right killed.dat
nothing_left || fail "something is left"
