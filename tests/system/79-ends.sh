#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a command is followed to its end and no further: orphans, death by a signal, a daemon left behind, none at all
# timeout: 300

. "$(dirname "$0")/lib.sh"
. "$here/follow.sh"

cd "$OUT"
peer

follow orphan 0 -- "$tasks" orphan 10.9.0.2 9000
is "$(firsts orphan)" "1 __sys_socket" "orphan: its calls are in, though its parent is no more"
in_order orphan.report __sys_socket=call __sys_connect=call "ip_output=#1 tcp" "__sys_recvfrom=call tcp"

follow killed 137 -- "$tasks" die 10.9.0.2 9000 9
is "$(firsts killed)" "1 __sys_socket" "killed by SIGKILL: what it did before is in"
follow segv 139 -- sh -c 'ulimit -c 0; exec "$0" die 10.9.0.2 9000 11' "$tasks"
is "$(firsts segv)" "1 __sys_socket" "killed by SIGSEGV: what it did before is in"

before=$SECONDS
follow daemon 0 -- "$tasks" leave 10.9.0.2 9000
[ $((SECONDS - before)) -lt 60 ] || fail "daemon: waited $((SECONDS - before)) seconds"
daemon=$(pgrep -f "^$tasks leave")
at_exit stop "$daemon"
# It waits for an answer, and then for its next turn.
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
ok "daemon: the module is gone, the daemon is not"

is "$(followed A none -- ./no-such-command)" 127 "no such command: exit status"
has "$(cat none.said)" "no-such-command" "no such command: it says which"
[ ! -e none.dat ] || fail "no such command: there is a trace"
: >not-executable
is "$(followed A none -- ./not-executable)" 126 "not executable: exit status"
