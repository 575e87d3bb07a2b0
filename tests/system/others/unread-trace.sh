#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: without --force, a recording does not remove another user's unread entries, triggers and parts of a recording
# tags: slow
# timeout: 300

. "$(dirname "$0")/../lib/lib.sh"

record=(trace-cmd record-skb "${few[@]}" -p 9000 -o "$OUT/trace.dat")
at_exit sh -c "echo >$tracing/trace"

# refused WHAT OPTION…: check that a recording with OPTION… is refused and changes nothing
refused() {
	local what=$1
	shift
	tracing_settings >"$OUT/before"
	is "$(status_of "${record[@]}" "$@" -- true)" 125 "$what: refused"
	tracing_settings >"$OUT/after"
	diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "$what: the settings of tracing have changed"
	[ ! -e "$OUT/trace.dat" ] || fail "$what: it left a trace.dat"
}

echo 'an entry of another user' >"$tracing/trace_marker"
refused "a trace that another user has not read"
has "$(cat "$OUT/stderr")" "^trace-cmd record-skb: the trace buffer has unread entries .1., .*--force" "the message names the buffer"
has "$(cat "$tracing/trace")" "an entry of another user" "the entry is still there"
has "$(trace-cmd record-skb --check)" "^without *unread trace *1 unread entries" "--check reports it"
trace-cmd extract -k -o "$OUT/kept.dat" >/dev/null
has "$(trace-cmd report -i "$OUT/kept.dat" 2>/dev/null)" "an entry of another user" "the entry is kept as the hint says"
is "$(status_of "${record[@]}" -- true)" 0 "a recording after that"
rm "$OUT/trace.dat"

echo 'an entry of another user' >"$tracing/trace_marker"
is "$(status_of "${record[@]}" --force -- true)" 0 "--force"
has "$(cat "$OUT/stderr")" "^trace-cmd record-skb: the trace buffer has unread entries" "--force reports it"
rm "$OUT/trace.dat"

trigger=$tracing/events/sched/sched_switch/trigger
echo 'traceoff if prev_pid == 4242' >"$trigger"
at_exit sh -c "echo '!traceoff if prev_pid == 4242' >$trigger"
refused "-R, and the trigger of another user" -e sched:sched_switch -R 'stacktrace if prev_pid == 4243'
has "$(cat "$OUT/stderr")" "another user has set a trigger .*/sched_switch/trigger.*--force" "the message names the trigger"
has "$(cat "$trigger")" "^traceoff.* if prev_pid == 4242" "the trigger is still there"
echo >"$tracing/trace"
is "$(status_of "${record[@]}" -e sched:sched_switch -- true)" 0 "a recording without -R"
has "$(cat "$trigger")" "^traceoff.* if prev_pid == 4242" "the trigger stays"
rm "$OUT/trace.dat"

echo part >"$OUT/trace.dat.other.cpu1"
refused "a part of an instance's recording" -B other -e sched:sched_switch
has "$(cat "$OUT/stderr")" "trace.dat.other.cpu1 exists: it is part of an interrupted recording; remove it" "the message names the part"
is "$(cat "$OUT/trace.dat.other.cpu1")" part "the part is still there"
is "$(status_of "${record[@]}" -- true)" 0 "a recording without -B"
