#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a recording ends by --count, --duration and --max-size, says so, and says when it is ready
# timeout: 300

. "$(dirname "$0")/lib.sh"

two_namespaces
echo_server B 9000
background_stream

# limited WHAT OPTION…: a recording that ends by itself.
limited() {
	local what=$1
	shift
	is "$(status_of trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" -p 9000 "$@")" 0 "$*"
	has "$(cat "$OUT/stderr")" '^trace-cmd record-skb: recording until its limit or Ctrl-C$' "ready is said"
	has "$(cat "$OUT/stderr")" "^ended by $what\$" "what ended it"
	trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"
	has "$(cat "$OUT/report")" 'tcp_v4_rcv\(\) \{ /\* #[0-9]+ tcp .*:9000' "the trace is there"
}

packets() {
	sed -n 's/^\([0-9]*\) packets matched.*/\1/p' "$OUT/stderr"
}

limited --count --count 20
[ "$(packets)" -ge 20 ] || fail "only $(packets) packets"
limited --duration --duration 2
limited --max-size --max-size 1
# Its parts are elsewhere.
mkdir "$OUT/parts"
limited --max-size --max-size 1 --temp "$OUT/parts"
stream_ends

# A command is told to end, and has its time for that.
is "$(status_of in_a trace-cmd record-skb "${few[@]}" --duration 1 -o "$OUT/trace.dat" -- sleep 1000)" 0 "with a command"
has "$(cat "$OUT/stderr")" '^ended by --duration$' "what ended it"
# It has nothing to do but to end, for the machine may be busy; what it waits for ends with it.
is "$(status_of in_a trace-cmd record-skb "${few[@]}" --duration 5 -o "$OUT/trace.dat" -- \
	bash -c 'trap "exit 7" TERM; exec 3> >(cat); wait $!')" 7 "its exit status counts"
