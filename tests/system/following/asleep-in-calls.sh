#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: commands that sleep in accept() or recv() do not delay Ctrl-C, their own death, or the end of the recording
# requires: script
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"

cd "$OUT"
two_namespaces
echo_server B 9000
tasks=$(program tasks)
# Named pipes do not work on the file system of $OUT.
keys=$(mktemp -u)
at_exit rm -f "$keys"

# ended WHAT PATTERN: check that the recording ended at once. It began at $begin. A line of its report must
# match PATTERN.
ended() {
	[ $((SECONDS - begin)) -lt 30 ] || fail "$1: ending took $((SECONDS - begin)) seconds"
	ok "$1: the recording ends at once"
	trace-cmd report -i trace.dat >report
	has "$(cat report)" "$2" "$1: the call is in the trace"
	wait_for "$1: the module to go" unloaded
}

# In a terminal, Ctrl-C interrupts the command, too.
for shape in "accept 9100" "listen 10.9.0.2 9000"; do
	what=${shape%% *}
	rm -f "$keys"
	mkfifo "$keys"
	# A background process ignores Ctrl-C, and its children inherit this. env restores the default.
	line="trace-cmd record-skb ${few[*]@Q} -o trace.dat -- $tasks $shape"
	in_a env --default-signal=INT,QUIT script -qec "$line" /dev/null <"$keys" >screen 2>&1 &
	terminal=$!
	exec 7>"$keys"
	call=accept
	[ "$what" = accept ] || call=recv
	wait_for "the command asleep in $call()" asleep "^$tasks $what" "$call\|inet_csk_accept\|tcp_recvmsg"
	begin=$SECONDS
	printf '\003' >&7
	status=0
	wait "$terminal" || status=$?
	exec 7>&-
	is "$status" 130 "Ctrl-C in $call(): exit status"
	ended "Ctrl-C in $call()" "__sys_($call|recvfrom).*call tcp"
done

# Kill the command while it sleeps in accept().
for signal in TERM KILL; do
	in_a trace-cmd record-skb "${few[@]}" -o trace.dat -- "$tasks" accept 9100 2>said &
	cli=$!
	wait_for "the command asleep in accept()" asleep "^$tasks accept" inet_csk_accept
	begin=$SECONDS
	pkill -"$signal" -f "^$tasks accept"
	status=0
	wait "$cli" || status=$?
	is "$status" $((128 + $(kill -l "$signal"))) "SIG$signal for the command: exit status"
	ended "SIG$signal for the command" "__sys_accept.*call tcp"
done
