#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a reader asleep inside a gate holds up nobody; the module goes when it has woken
# timeout: 240

. "$(dirname "$0")/lib.sh"

two_namespaces
server B 9000

loaded() {
	grep -q '^record_skb ' /proc/modules
}
unloaded() {
	! loaded
}

# The reader is another's, not our command's: it goes on when the recording ends.
cat >"$OUT/reader.sh" <<'END'
exec 3<>/dev/tcp/10.9.0.2/9000
echo ready
read -r line <&3
END
# With a lock of the caller's, and in a folder of his.
touch "$OUT/lock"
exec 7>"$OUT/lock"
flock 7
trace-cmd record-skb -l tcp_recvmsg -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
cli=$!
exec 7>&-
wait_for "the recording" armed
# Not in_a: its own process is what is looked at.
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

# It still sleeps, so the module is still there, if disarmed, and the recorder said so. Then it wakes.
loaded || fail "the module went from under a reader asleep in its gate"
has "$(cat "$OUT/said")" 'stays for now' "what is said about the module that stays"
keeper=$(pgrep -x record-skb-keep)
flock -n "$OUT/lock" true || fail "who waits for that has the caller's lock"
is "$(readlink "/proc/$keeper/cwd")" / "where it is"
client A 10.9.0.2 9000 hello >/dev/null
kill -KILL "$reader"
wait "$reader" 2>/dev/null || ok "the reader ended"
wait_for "the module to be gone by itself" unloaded
