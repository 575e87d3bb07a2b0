#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if another process reads or empties the buffer, the recorder and report-skb report this, and do not call the recording complete
# tags: long
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
two_namespaces

# Entries that another process reads are missing in the recording.
cat >command <<'END'
ping -q -c 1 10.9.0.2
timeout 1 cat "$1" >taken
ping -q -c 1 10.9.0.2
END
for pipe in trace_pipe per_cpu/cpu0/trace_pipe_raw; do
	is "$(status_of in_a trace-cmd record-skb -o taken.dat -- bash command "$tracing/$pipe")" 0 "another process reads $pipe"
	# The recorder may read the pages of a CPU before the other process does.
	[ -s taken ] || [ "$pipe" != trace_pipe ] || fail "the other reader got nothing"
	has "$(cat stderr)" "another process has read the trace buffer .*\(${pipe##*/}\)" "the message about the other reader"
	trace-cmd report-skb --list -i taken.dat >taken.packets 2>taken.said
	has "$(cat taken.said)" 'that another reader has taken' "report-skb reports it as well"
	has_not "$(cat taken.said)" '^complete' "the recording is not called complete"
done
for file in trace per_cpu/cpu0/trace; do
	is "$(status_of in_a trace-cmd record-skb -o emptied.dat -- bash -c "ping -q -c 1 10.9.0.2; echo >$tracing/$file; ping -q -c 1 10.9.0.2")" 0 "another process empties $file"
	has "$(cat stderr)" 'another process has emptied the trace buffer' "the message about the emptied buffer"
	trace-cmd report-skb --list -i emptied.dat >emptied.packets 2>emptied.said
	has_not "$(cat emptied.said)" '^complete' "the recording is not called complete"
done
is "$(status_of in_a trace-cmd record-skb -o alone.dat -- cat "$tracing/trace" "$tracing/per_cpu/cpu0/stats")" 0 "another process only reads the trace"
has_not "$(cat stderr)" 'another process' "no message about another process"
