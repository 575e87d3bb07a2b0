#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: SIGKILL for any of the programs in the middle of a recording: disarmed, traffic goes on, the next works
# timeout: 400

. "$(dirname "$0")/lib.sh"

two_namespaces
server B 9000

# A stream through the recording, whose end arrives whole whatever happens to the recorders.
cat >"$OUT/stream" <<'END'
for i in $(seq 200); do echo "line $i"; sleep 0.02; done | socat -t 10 - TCP:10.9.0.2:9000
END
wanted=$(for i in $(seq 200); do echo "line $i"; done | md5sum)

armed() {
	[ "$(cat "$tracing/current_tracer")" = function_graph ] && grep -q ' I ' "$tracing/enabled_functions"
}
quiet() {
	[ "$(cat "$tracing/current_tracer")" = nop ] && ! grep -q '^record_skb ' /proc/modules
}

# victim WHO: its pid among the recording's processes
victim() {
	case $1 in
	cli) echo "$cli" ;;
	trace-cmd) pgrep -P "$cli" -f 'record -q' | head -n 1 ;;
	esac
}

for who in cli trace-cmd; do
	trace-cmd record-skb -l '__dev_queue_xmit' -o "$OUT/trace.dat" -p 9000 2>"$OUT/said" &
	cli=$!
	in_a bash "$OUT/stream" >"$OUT/got" &
	stream=$!
	wait_for "the recording" armed
	pid=$(victim $who)
	kill -KILL "$pid"
	wait_for "tracing as it was, without the module, after SIGKILL of $who" quiet
	wait "$stream"
	is "$(md5sum <"$OUT/got")" "$wanted" "the stream through it, after SIGKILL of $who"
	wait "$cli" || ok "the recorder ended"
	rm -f "$OUT"/trace.dat*

	in_a trace-cmd record-skb -l '__dev_queue_xmit' -o "$OUT/next.dat" -p 9000 -- \
		bash -c 'echo hello | socat -t 5 - TCP:10.9.0.2:9000' >"$OUT/next" 2>&1
	has "$(cat "$OUT/next")" '^[1-9][0-9]* packets matched' "the next recording"
done
