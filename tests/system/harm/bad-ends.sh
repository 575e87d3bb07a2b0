#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if another user blocks the tracer, switches tracing off or kills a recorder, the recording reports this, keeps its entries and restores tracing
# tags: long
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/settings-restored.sh"

# While a process has trace_pipe open, the kernel refuses to change the tracer.
cat >command <<'END'
sleep 1000 <"$1/trace_pipe" >/dev/null 2>&1 &
echo $! >holder
ping -q -c 1 10.9.0.2
END
is "$(status_of in_a trace-cmd record-skb -o held.dat -- bash command "$tracing")" 125 "trace_pipe is open at the end"
holder=$(cat holder)
at_exit stop "$holder"
has "$(cat stderr)" 'current_tracer .*trace_pipe' "the message names trace_pipe"
has "$(trace-cmd report-skb --list -i held.dat 2>held.said)" 'echo reply' "the recording is there"
is "$(cat "$tracing/tracing_on")" 0 "tracing is switched off"
[ "$(wc -l <"$tracing/enabled_functions")" -lt 20000 ] || fail "all functions are traced"
kill "$holder"
wait_for "the settings, without trace_pipe" is_as_before
wait_for "the module's end" unloaded
is "$(cat "$tracing/enabled_functions")" "" "no function is left traced"

# Another process switches tracing off during the recording. The recorder must report this.
is "$(status_of in_a trace-cmd record-skb -q -o off.dat -- sh -c "echo 0 >$tracing/tracing_on")" 0 "tracing is switched off"
has "$(cat stderr)" 'switched tracing off' "the message about tracing"
is "$(status_of in_a trace-cmd record-skb -q -o on.dat -- true)" 0 "tracing is not switched off"
has_not "$(cat stderr)" 'switched tracing off' "no message about tracing"

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
has "$(cat stderr)" 'recorders has ended too soon' "the message about the recorders"
[ -s killed.dat ] || fail "there is no killed.dat"

# trace-cmd makes the instance, and then fails because the event does not exist. The instance must be removed.
is "$(status_of in_a trace-cmd record-skb -o made.dat -p 9000 -B made -e no_such:event -- true)" 125 "an instance, and an event that does not exist"
[ ! -e "$tracing/instances/made" ] || fail "the instance was left"

# The child exits, but its parent never waits for it. The recorder must not report that the child is still
# running.
is "$(status_of in_a trace-cmd record-skb -o child.dat -- bash -c 'true & exec sleep 0.5')" 0 "a child that is not waited for"
has_not "$(cat stderr)" 'still run' "it is not reported as running"

is "$(trap '' CHLD; status_of timeout 60 ip netns exec A trace-cmd record-skb -o chld.dat -- bash -c 'exit 3')" 3 "SIGCHLD is ignored by the parent of the recorder"

# A recording with --shared saves in /run which settings to restore. If /run is full, the recording must be
# refused. Kernels before 6.11 have no shared recordings.
[[ $VM_KERNEL != @(6.1|6.1-rt|debug) ]] || exit 0
cat >command <<'END'
mount -t tmpfs -o nr_inodes=1 none /run
exec trace-cmd record-skb --shared -o shared.dat -p 9000 -- true
END
is "$(status_of unshare -m bash command)" 125 "no space in /run for the state that recordings share"
has "$(cat stderr)" 'cannot write /run/record-skb-shared: No space' "the message about /run"
wait_for "the module's end" unloaded
wait_for "the settings" is_as_before
