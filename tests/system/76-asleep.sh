#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: commands asleep in accept() and recv() hold up neither Ctrl-C, nor their death, nor the end of the recording
# requires: script
# timeout: 400

. "$(dirname "$0")/lib.sh"
. "$here/follow.sh"

cd "$OUT"
two_namespaces
echo_server B 9000
tasks=$(program tasks)
# The folder that $OUT is in has no pipes.
keys=$(mktemp -u)
at_exit rm -f "$keys"

unloaded() {
	! grep -q '^record_skb ' /proc/modules
}

# asleep PATTERN FUNCTION: the process whose command line matches sleeps in the kernel, inside our gate.
asleep() {
	local pid
	pid=$(pgrep -f "$1") && grep -q "$2" "/proc/$pid/stack" && grep -q record_skb "/proc/$pid/stack"
}

# ended WHAT: the recording that began at $begin was not held up, and what it has can be read.
ended() {
	[ $((SECONDS - begin)) -lt 30 ] || fail "$1: ending took $((SECONDS - begin)) seconds"
	ok "$1: it ends at once"
	trace-cmd report -i trace.dat >report
	has "$(cat report)" "$2" "$1: the call is in the trace"
	wait_for "$1: the module to go" unloaded
}

# Typed in a terminal, Ctrl-C goes to the command as well.
for shape in "accept 9100" "listen 10.9.0.2 9000"; do
	what=${shape%% *}
	rm -f "$keys"
	mkfifo "$keys"
	# What runs in the background would ignore Ctrl-C, and so would the command.
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

# Its own death.
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

# One that is left asleep: the module has to stay for it, disarmed, and says so.
in_a trace-cmd record-skb "${few[@]}" -o trace.dat -- sh -c '"$0" accept 9100 & until [ -e "$1" ]; do sleep 0.1; done' \
	"$tasks" "$OUT/go" >left.out 2>said &
cli=$!
wait_for "the child asleep in accept()" asleep "^$tasks accept" inet_csk_accept
left=$(pgrep -f "^$tasks accept")
at_exit sh -c "kill $left 2>/dev/null; :"
begin=$SECONDS
touch go
wait "$cli" || fail "one left asleep: $(cat said)"
[ $((SECONDS - begin)) -lt 30 ] || fail "one left asleep: ending took $((SECONDS - begin)) seconds"
has "$(cat said)" 'stays for now' "one left asleep: what is said about the module"
grep -q '^record_skb ' /proc/modules || fail "the module went from under it"
is "$(redirected)" "" "one left asleep: points that are live"
kill -0 "$left" || fail "it did not survive"
# Another recording works meanwhile, and its end does not take the module either.
is "$(followed A second -- "$tasks" fetch 10.9.0.2 9000)" 0 "one left asleep: another recording"
nothing_lost second.said
grep -q '^record_skb ' /proc/modules || fail "the module went from under it"
kill "$left"
wait_for "the module to be gone by itself" unloaded
ok "one left asleep: the module goes when it has woken"
