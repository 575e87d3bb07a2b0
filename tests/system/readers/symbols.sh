#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a file has only the symbols of recorded functions, and all symbols after a killed recorder; the command sees the real kallsyms
# requires: /sys/kernel/btf/vmlinux
# timeout: 900

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
two_namespaces
# Keep the module loaded, so that /proc/kallsyms still has the addresses of its functions when the test reads
# it.
modprobe record_skb
at_exit modprobe -r record_skb
names=$(program names)

# names_are_right TRACE: libtraceevent names each function by the symbols in TRACE. Check that these names
# are those in /proc/kallsyms.
names_are_right() {
	"$names" "$1" 2>/dev/null | sort -u >names
	[ "$(wc -l <names)" -gt 10 ] || fail "$1: only $(wc -l <names) functions"
	awk 'FNR == NR { known[$1, $3]; next } !(($1, $2) in known) { print; bad = 1 } END { exit bad }' /proc/kallsyms \
		names >wrong || fail "$1: not their names: $(head -n 5 wrong)"
	ok "$1: $(wc -l <names) functions have their names"
}

# nothing_left: true if no file is mounted over /proc/kallsyms, and the file that was mounted there is
# removed
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

# The command must see the same /proc/kallsyms as its caller, even in another root directory.
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
ends_killed "$recorder"
all_ended() {
	[ "$(cat "$tracing/current_tracer")" = nop ] && ! pgrep -f 'trace-cmd.record|record-skb-keep'
}
wait_for "the end of all" all_ended
names_are_right killed.dat
nothing_left || fail "something is left"
