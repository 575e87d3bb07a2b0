#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a reader asleep inside a gate holds up nobody; the module goes when it has woken
# timeout: 240

. "$(dirname "$0")/lib.sh"

two_namespaces
server B 9000

# It reads what never comes: asleep in recv, inside the gate, when the recording is interrupted.
asleep() {
	pgrep -f "[s]ocat -u TCP:10.9.0.2:9000" >"$OUT/reader" && grep -q . "$tracing/enabled_functions" &&
		grep -q wait_data "/proc/$(head -n 1 "$OUT/reader")/wchan"
}
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
trace-cmd record-skb -l tcp_recvmsg -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
cli=$!
wait_for "the recording" grep -q ' I ' "$tracing/enabled_functions"
in_a bash "$OUT/reader.sh" >"$OUT/ready" &
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

# It still sleeps, so the module is still there, if disarmed; when it leaves, the module can go.
kill -KILL "$reader"
wait "$reader" 2>/dev/null || ok "the reader ended"
if loaded; then
	wait_for "the module to be free" modprobe -r record_skb
fi
wait_for "the module to be gone" unloaded
