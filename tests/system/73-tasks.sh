#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: children, threads, orphans and execs are followed, --no-children is not; what is left behind is let go
# timeout: 300

. "$(dirname "$0")/lib.sh"
. "$here/follow.sh"

cd "$OUT"
two_namespaces
noise_servers B
echo_server B 9000
tasks=$(program tasks)
background ip netns exec B "$tasks" answers 9000
wait_for "a server on UDP port 9000" udp_listening B 9000
noise

# firsts NAME: the first socket call of each task, and how often.
firsts() {
	what first "$1.raw" | cut -d ' ' -f 2 | sort | uniq -c | sed 's/^ *//'
}

# follow NAME STATUS ARGS…: see followed().
follow() {
	local name=$1 status=$2
	shift 2
	is "$(followed A "$name" "$@")" "$status" "$name: exit status"
	nothing_lost "$name.said"
	nothing_of_noise "$name.dat"
	mv raw "$name.raw"
	mv report "$name.report"
}

cat >five <<'END'
#!/bin/sh
echo $$ >shell
"$1" fetch 10.9.0.2 9000
"$1" ask 10.9.0.2 9000
ping -q -c 1 10.9.0.2
("$1" query 10.9.0.2 9000 | cat)
exec "$1" fetch 10.9.0.2 9000
END
chmod +x five
follow script 0 -- ./five "$tasks"
is "$(firsts script)" "5 __sys_socket" "script: five commands, each from its first socket call on"
has "$(what tasks script.raw)" "^$(cat shell)$" "script: the shell's own pid is the fifth"
is "$(what flows script.raw | cut -d ' ' -f 1 | sort | uniq -c | tr -s ' \n' ' ')" " 1 1 2 17 2 6 " \
	"script: their flows, and no others"

follow alone 0 --no-children -- ./five "$tasks"
is "$(what tasks alone.raw)" "$(cat shell)" "no children: the command's own socket calls"
is "$(firsts alone)" "1 __sys_socket" "no children: from the first on"
is "$(what flows alone.raw | wc -l)" 1 "no children: its own flow"

follow threads 0 -- "$tasks" threads 10.9.0.2 9000 6
is "$(firsts threads)" "6 __sys_socket" "threads: each from its first socket call on"
is "$(what begins threads.raw)" "$(printf '2 10.9.0.2:9000\n%.0s' 1 2 3 4 5 6)" \
	"threads: six connections from their SYN on"

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
sent=$(noise_sent)
daemon_sends() {
	# Nothing but it and the noise sends, and it has no other socket open.
	kill -0 "$daemon" && [ "$(noise_sent)" -gt "$sent" ]
}
wait_for "the daemon to go on" daemon_sends
has "$(firsts daemon)" '^[12] __sys_socket$' "daemon: the command from its first socket call on"
grep -q '^record_skb ' /proc/modules && fail "daemon: the module stays"
ok "daemon: the module is gone, the daemon is not"

is "$(followed A none -- ./no-such-command)" 127 "no such command: exit status"
has "$(cat none.said)" "no-such-command" "no such command: it says which"
[ ! -e none.dat ] || fail "no such command: there is a trace"
: >not-executable
is "$(followed A none -- ./not-executable)" 126 "not executable: exit status"
