#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: who holds the tracer, switches tracing off, kills a recorder or interrupts the start: all is said, kept and put back
# timeout: 300

. "$(dirname "$0")/lib.sh"

cd "$OUT"
two_namespaces
tracing_settings >before
is_as_before() {
	tracing_settings >after
	cmp -s before after
}
unloaded() {
	! grep -q '^record_skb ' /proc/modules
}

# Whoever has trace_pipe open keeps the tracer in its place.
cat >command <<'END'
sleep 1000 <"$1/trace_pipe" >/dev/null 2>&1 &
echo $! >holder
ping -q -c 1 10.9.0.2
END
is "$(status_of in_a trace-cmd record-skb -o held.dat -- bash command "$tracing")" 125 "trace_pipe is open at the end"
holder=$(cat holder)
at_exit stop "$holder"
has "$(cat stderr)" 'current_tracer .*trace_pipe' "which is said"
has "$(trace-cmd report-skb -i held.dat 2>held.said)" 'echo reply' "the recording is there"
is "$(cat "$tracing/tracing_on")" 0 "tracing is off meanwhile"
[ "$(wc -l <"$tracing/enabled_functions")" -lt 20000 ] || fail "all functions are traced"
kill "$holder"
wait_for "the settings, without trace_pipe" is_as_before
wait_for "the module's end" unloaded
is "$(cat "$tracing/enabled_functions")" "" "no function is left traced"

# What is not recorded for that is said.
is "$(status_of in_a trace-cmd record-skb -q -o off.dat -- sh -c "echo 0 >$tracing/tracing_on")" 0 "tracing is switched off"
has "$(cat stderr)" 'switched tracing off' "which is said"
is "$(status_of in_a trace-cmd record-skb -q -o on.dat -- true)" 0 "nobody switches it off"
has_not "$(cat stderr)" 'switched tracing off' "and nothing is said"

# What others read is in no file.
cat >command <<'END'
ping -q -c 1 10.9.0.2
timeout 1 cat "$1" >taken
ping -q -c 1 10.9.0.2
END
for pipe in trace_pipe per_cpu/cpu0/trace_pipe_raw; do
	is "$(status_of in_a trace-cmd record-skb -o taken.dat -- bash command "$tracing/$pipe")" 0 "somebody reads $pipe"
	# Pages of the other one the recorder may have been faster to have.
	[ -s taken ] || [ "$pipe" != trace_pipe ] || fail "he got nothing"
	has "$(cat stderr)" "somebody else has read the buffer .*\(${pipe##*/}\)" "which is said"
	trace-cmd report-skb -i taken.dat >taken.packets 2>taken.said
	has "$(cat taken.said)" 'that somebody else has read' "in the trace as well"
	has_not "$(cat taken.said)" '^complete' "which is not complete"
done
for file in trace per_cpu/cpu0/trace; do
	is "$(status_of in_a trace-cmd record-skb -o emptied.dat -- bash -c "ping -q -c 1 10.9.0.2; echo >$tracing/$file; ping -q -c 1 10.9.0.2")" 0 "somebody empties $file"
	has "$(cat stderr)" 'somebody else has emptied the buffer' "which is said"
	trace-cmd report-skb -i emptied.dat >emptied.packets 2>emptied.said
	has_not "$(cat emptied.said)" '^complete' "nor is the trace complete"
done
is "$(status_of in_a trace-cmd record-skb -o alone.dat -- cat "$tracing/trace" "$tracing/per_cpu/cpu0/stats")" 0 "somebody only looks"
has_not "$(cat stderr)" 'somebody else' "and nothing is said"

cat >command <<'END'
for pid in $(pgrep -x trace-cmd); do
	case $(tr '\0' ' ' <"/proc/$pid/cmdline") in
	*--runner*" record "* | *" record "*) pgrep -P "$pid" -x trace-cmd ;;
	esac
done | head -n 1 >recorder
kill -KILL "$(cat recorder)"
exec sleep 3
END
is "$(status_of in_a trace-cmd record-skb -o killed.dat -- bash command)" 125 "a recorder of trace-cmd is killed"
has "$(cat stderr)" 'recorders ended too soon' "which is said"
[ -s killed.dat ] || fail "there is no killed.dat"

# What trace-cmd has made before it fails.
is "$(status_of in_a trace-cmd record-skb -o made.dat -p 9000 -B made -e no_such:event -- true)" 125 "an instance, and an event that there is not"
[ ! -e "$tracing/instances/made" ] || fail "the instance is there"

# A child that nobody waits for has ended all the same.
is "$(status_of in_a trace-cmd record-skb -o child.dat -- bash -c 'true & exec sleep 0.5')" 0 "a child that nobody waits for"
has_not "$(cat stderr)" 'still run' "does not run any more"

is "$(trap '' CHLD; status_of timeout 60 ip netns exec A trace-cmd record-skb -o chld.dat -- bash -c 'exit 3')" 3 "SIGCHLD is ignored by whoever began it"

# What is to be put back cannot be noted.
cat >command <<'END'
mount -t tmpfs -o nr_inodes=1 none /run
exec trace-cmd record-skb --shared -o shared.dat -p 9000 -- true
END
is "$(status_of unshare -m bash command)" 125 "there is no room in /run, for what recordings share"
has "$(cat stderr)" 'cannot write /run/record-skb-shared: No space' "which is said"
wait_for "the module's end" unloaded
wait_for "the settings" is_as_before

# At any moment of the start.
for delay in 0.1 0.2 0.3 0.4 0.5 0.7 0.9 1.1 1.4 1.7 2 3; do
	trace-cmd record-skb -o soon.dat -p 9000 2>soon.said &
	sleep "$delay"
	kill -TERM $!
	wait $! || :
	wait_for "the module's end" unloaded
	wait_for "the settings, after a start of $delay s" is_as_before
done
ok "whenever a start is interrupted, nothing stays"
