#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: commands that sleep in accept() and recv() delay neither Ctrl-C, nor their own death, nor the end of the recording
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

unloaded() {
	! grep -q '^record_skb ' /proc/modules
}

# asleep PATTERN FUNCTION: true if the process with a matching command line sleeps inside our gate
asleep() {
	local pid
	pid=$(pgrep -f "$1") && grep -q "$2" "/proc/$pid/stack" && grep -q record_skb "/proc/$pid/stack"
}

# ended WHAT: check that the recording that began at $begin ended at once and can be read
ended() {
	[ $((SECONDS - begin)) -lt 30 ] || fail "$1: ending took $((SECONDS - begin)) seconds"
	ok "$1: the recording ends at once"
	trace-cmd report -i trace.dat >report
	has "$(cat report)" "$2" "$1: the call is in the trace"
	wait_for "$1: the module to go" unloaded
}

# In a terminal, Ctrl-C interrupts the command as well.
for shape in "accept 9100" "listen 10.9.0.2 9000"; do
	what=${shape%% *}
	rm -f "$keys"
	mkfifo "$keys"
	# A background process ignores Ctrl-C, and its children inherit that. env restores the default.
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

# The command is killed.
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

# The command leaves a sleeping child behind. The module must stay for it, disarmed, and --verbose reports that.
in_a trace-cmd record-skb --verbose "${few[@]}" -o trace.dat -- sh -c '"$0" accept 9100 & until [ -e "$1" ]; do sleep 0.1; done' \
	"$tasks" "$OUT/go" >left.out 2>said &
cli=$!
wait_for "the child asleep in accept()" asleep "^$tasks accept" inet_csk_accept
left=$(pgrep -f "^$tasks accept")
at_exit sh -c "kill $left 2>/dev/null; :"
begin=$SECONDS
touch go
wait "$cli" || fail "a child left asleep: $(cat said)"
[ $((SECONDS - begin)) -lt 30 ] || fail "one left asleep: ending took $((SECONDS - begin)) seconds"
has "$(cat said)" 'the module record_skb stays loaded, disarmed' "a child left asleep: --verbose reports the module"
grep -q '^record_skb ' /proc/modules || fail "the module was unloaded while the child slept in it"
is "$(redirected)" "" "one left asleep: points that are live"
kill -0 "$left" || fail "the child did not survive"
# Another recording works in the meantime, and does not unload the module at its end.
is "$(followed A second -- "$tasks" fetch 10.9.0.2 9000)" 0 "a child left asleep: another recording"
nothing_lost second.said
grep -q '^record_skb ' /proc/modules || fail "the module was unloaded while the child slept in it"
kill "$left"
wait_for "the module to be gone by itself" unloaded
ok "a child left asleep: the module is unloaded after the child wakes"
