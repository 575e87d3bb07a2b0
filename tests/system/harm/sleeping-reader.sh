#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a reader that sleeps in a gate delays nothing, and the module is unloaded after the reader wakes
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
server B 9000

loaded() {
	grep -q '^record_skb ' /proc/modules
}
unloaded() {
	! loaded
}

# The reader is not the recorded command, so it continues when the recording ends.
cat >"$OUT/reader.sh" <<'END'
exec 3<>/dev/tcp/10.9.0.2/9000
echo ready
read -r line <&3
END
# This shell holds a lock on descriptor 7, which the recorder inherits. The recorder and its processes must
# not keep the lock.
touch "$OUT/lock"
exec 7>"$OUT/lock"
flock 7
trace-cmd record-skb -l tcp_recvmsg -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
cli=$!
exec 7>&-
wait_for "the recording" armed
# Do not use in_a here, because $! would be the PID of a shell and not of the reader.
ip netns exec A bash "$OUT/reader.sh" >"$OUT/ready" &
reader=$!
at_exit stop "$reader"
in_gate() {
	grep -q 'tcp_recvmsg\|record_skb' "/proc/$reader/stack"
}
wait_for "the reader asleep inside the gate" in_gate

begin=$SECONDS
kill -INT "$cli"
wait "$cli"
[ $((SECONDS - begin)) -lt 60 ] || fail "ending took $((SECONDS - begin)) seconds"
ok "the recording ends with a reader asleep in its gate"
kill -0 "$reader" || fail "the reader did not survive"

# The reader still sleeps in a gate. So the module must still be loaded, but must not record. Without
# --verbose, the recorder does not report this. After these checks, wake the reader.
loaded || fail "the module was unloaded while a reader slept in its gate"
has_not "$(cat "$OUT/said")" 'the module' "no message about the module, because the user need not act"
keeper=$(pgrep -x record-skb-keep)
flock -n "$OUT/lock" true || fail "the process that waits for the reader holds the caller's lock"
is "$(readlink "/proc/$keeper/cwd")" / "its working directory"
client A 10.9.0.2 9000 hello >/dev/null
kill -KILL "$reader"
wait "$reader" 2>/dev/null || ok "the reader ended"
wait_for "the module to be gone by itself" unloaded
