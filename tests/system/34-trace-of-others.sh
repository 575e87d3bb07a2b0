#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: what somebody has recorded and not read is not emptied, his triggers and parts stay, unless --force is said
# timeout: 300

. "$(dirname "$0")/lib.sh"

record=(trace-cmd record-skb "${few[@]}" -p 9000 -o "$OUT/trace.dat")
at_exit sh -c "echo >$tracing/trace"

# refused WHAT OPTION…: and nothing is changed by that
refused() {
	local what=$1
	shift
	tracing_settings >"$OUT/before"
	is "$(status_of "${record[@]}" "$@" -- true)" 125 "$what: refused"
	tracing_settings >"$OUT/after"
	diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "$what: tracing is not as it was"
	[ ! -e "$OUT/trace.dat" ] || fail "$what: there is a trace.dat"
}

echo 'somebody was here' >"$tracing/trace_marker"
refused "a trace that somebody has not read"
has "$(cat "$OUT/stderr")" "^trace-cmd record-skb: the buffer of tracing has entries that somebody has not read .1., .*--force" "and said why"
has "$(cat "$tracing/trace")" "somebody was here" "it is there still"
has "$(trace-cmd record-skb --check)" "^without *unread trace *1 entries" "--check says it, too"
trace-cmd extract -k -o "$OUT/kept.dat" >/dev/null
has "$(trace-cmd report -i "$OUT/kept.dat" 2>/dev/null)" "somebody was here" "kept as the hint says"
is "$(status_of "${record[@]}" -- true)" 0 "and then it records"
rm "$OUT/trace.dat"

echo 'somebody was here' >"$tracing/trace_marker"
is "$(status_of "${record[@]}" --force -- true)" 0 "--force"
has "$(cat "$OUT/stderr")" "^trace-cmd record-skb: the buffer of tracing has entries" "it is told all the same"
rm "$OUT/trace.dat"

trigger=$tracing/events/sched/sched_switch/trigger
echo 'traceoff if prev_pid == 4242' >"$trigger"
at_exit sh -c "echo '!traceoff if prev_pid == 4242' >$trigger"
refused "-R, and somebody's trigger" -e sched:sched_switch -R 'stacktrace if prev_pid == 4243'
has "$(cat "$OUT/stderr")" "somebody has a trigger .*/sched_switch/trigger.*--force" "and said where"
has "$(cat "$trigger")" "^traceoff.* if prev_pid == 4242" "it is there still"
echo >"$tracing/trace"
is "$(status_of "${record[@]}" -e sched:sched_switch -- true)" 0 "without -R it records"
has "$(cat "$trigger")" "^traceoff.* if prev_pid == 4242" "and the trigger stays"
rm "$OUT/trace.dat"

echo part >"$OUT/trace.dat.other.cpu1"
refused "a part of an instance's recording" -B other -e sched:sched_switch
has "$(cat "$OUT/stderr")" "trace.dat.other.cpu1 is there, a part of a recording that was cut off: remove it" "and said which"
is "$(cat "$OUT/trace.dat.other.cpu1")" part "it is there still"
is "$(status_of "${record[@]}" -- true)" 0 "without -B it is no hindrance"
