#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a command is followed until it ends: orphans, commands killed by a signal, a daemon left behind, and a command that does not exist
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"

cd "$OUT"
peer

follow orphan 0 -- "$tasks" orphan 10.9.0.2 9000
is "$(firsts orphan)" "1 __sys_socket" "orphan: its calls are recorded, although its parent has exited"
in_order orphan.report __sys_socket=call __sys_connect=call "ip_output=#1 tcp" "__sys_recvfrom=call tcp"

follow killed 137 -- "$tasks" die 10.9.0.2 9000 9
is "$(firsts killed)" "1 __sys_socket" "killed by SIGKILL: its earlier calls are recorded"
follow segv 139 -- sh -c 'ulimit -c 0; exec "$0" die 10.9.0.2 9000 11' "$tasks"
is "$(firsts segv)" "1 __sys_socket" "killed by SIGSEGV: its earlier calls are recorded"

before=$SECONDS
follow daemon 0 -- "$tasks" leave 10.9.0.2 9000
[ $((SECONDS - before)) -lt 60 ] || fail "daemon: waited $((SECONDS - before)) seconds"
daemon=$(pgrep -f "^$tasks leave")
at_exit stop "$daemon"
# turns: print how often the daemon has slept. It sleeps twice in each round: until the answer arrives, and
# until the next round begins.
turns() {
	sed -n 's/^voluntary_ctxt_switches:\t//p' "/proc/$daemon/status"
}
before=$(turns)
goes_on() {
	[ "$(turns)" -gt $((before + 4)) ]
}
wait_for "the daemon to go on" goes_on
has "$(firsts daemon)" '^[12] __sys_socket$' "daemon: the command from its first socket call on"
grep -q '^record_skb ' /proc/modules && fail "daemon: the module stays"
ok "daemon: the module is unloaded, the daemon runs on"

is "$(followed A none -- ./no-such-command)" 127 "no such command: exit status"
has "$(cat none.said)" "no-such-command" "no such command: the message names it"
[ ! -e none.dat ] || fail "no such command: it left a trace"
: >not-executable
is "$(followed A none -- ./not-executable)" 126 "not executable: exit status"
