#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --until count, time and size end a recording; messages say when it is ready and why it has ended
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
echo_server B 9000
background_stream

# limited WHAT OPTION…: make a recording that OPTION ends by itself
limited() {
	local what=$1
	shift
	is "$(status_of trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" -p 9000 "$@")" 0 "$*"
	has "$(cat "$OUT/stderr")" '^trace-cmd record-skb: recording until its limit or Ctrl-C$' "the message that it is ready"
	has "$(cat "$OUT/stderr")" "^ended by $what\$" "the reason for the end of the recording"
	trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"
	has "$(cat "$OUT/report")" 'tcp_v4_rcv\(\) \{ /\* #[0-9]+ tcp .*:9000' "the trace is there"
}

packets() {
	sed -n 's/^\([0-9]*\) packets matched.*/\1/p' "$OUT/stderr"
}

limited "--until count" --until count=20
[ "$(packets)" -ge 20 ] || fail "only $(packets) packets"
limited "--until time" --until time=1s
limited "--until size" --until size=300K
# For a ring, --until size counts all entries, including those that are overwritten.
limited "--until size" --until size=1M --ring 512K
stream_ends

# When the limit is reached, the command gets SIGTERM, and enough time to end.
is "$(status_of in_a trace-cmd record-skb "${few[@]}" --until time=1s -o "$OUT/trace.dat" -- sleep 1000)" 0 "with a command"
has "$(cat "$OUT/stderr")" '^ended by --until time$' "the reason for the end of the recording"
# Use a command that needs no CPU time at its end, so that it ends quickly even on a busy machine. The
# process that it waits for ends together with it.
is "$(status_of in_a trace-cmd record-skb "${few[@]}" --until time=5s -o "$OUT/trace.dat" -- \
	bash -c 'trap "exit 7" TERM; exec 3> >(cat); wait $!')" 7 "its exit status counts"
