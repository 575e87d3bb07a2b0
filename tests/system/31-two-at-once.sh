#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the second of two recordings is told who has the first, which is not disturbed
# timeout: 180

. "$(dirname "$0")/lib.sh"

two_namespaces
server B 9000

recording() {
	[ "$(cat "$tracing/current_tracer")" = function_graph ] && [ -e "$OUT/started" ]
}

# Its own process, without a shell around it: $! is who holds it.
ip netns exec A trace-cmd record-skb -l __dev_queue_xmit -o "$OUT/first.dat" -p 9000 -- \
	bash -c "touch $OUT/started; until [ -e $OUT/enough ]; do sleep 0.1; done; exit 7" 2>"$OUT/first" &
first=$!
wait_for "the first recording" recording

is "$(status_of trace-cmd record-skb -o "$OUT/second.dat" -p 9000 -- true)" 125 "the second is refused"
has "$(cat "$OUT/stderr")" "^trace-cmd record-skb: trace-cmd[-a-z]* \\(pid $first\\) is recording packets" "it says who"
is "$(wc -l <"$OUT/stderr")" 1 "lines of complaint"
[ ! -e "$OUT/second.dat" ] || fail "the second left a file"

# Nor is it told to remove what the first has written.
is "$(status_of trace-cmd record-skb -o "$OUT/first.dat" -p 9000 -- true)" 125 "into the first's file"
has "$(cat "$OUT/stderr")" "^trace-cmd record-skb: trace-cmd[-a-z]* \\(pid $first\\) is recording packets" "it says who"
is "$(status_of trace-cmd record-skb --shared -o "$OUT/first.dat" -p 9000 -- true)" 125 "the same, with --shared"
has "$(cat "$OUT/stderr")" "^trace-cmd record-skb: another recording is writing to $OUT/first.dat: take another -o$" "it says so"
[ -e "$OUT/first.dat.cpu0" ] || fail "the first's parts are gone"

is "$(status_of trace-cmd record-skb --shared -o "$OUT/second.dat" -p 9000 -- true)" 125 "so is one that would share it"
has "$(cat "$OUT/stderr")" "^trace-cmd record-skb: trace-cmd[-a-z]* \\(pid $first\\) is recording packets: only one" "it says who"
is "$(wc -l <"$OUT/stderr")" 1 "lines of complaint"
# Where this kernel cannot share, nobody is told to.
case $VM_KERNEL in
6.1 | 6.1-rt | debug) has_not "$(cat "$OUT/stderr")" 'unless each says --shared' "and no more" ;;
*) has "$(cat "$OUT/stderr")" 'unless each says --shared' "and how both could" ;;
esac

client A 10.9.0.2 9000 hello >/dev/null
touch "$OUT/enough"
status=0
wait "$first" || status=$?
is "$status" 7 "the first ends as its command did"
has "$(cat "$OUT/first")" '^[1-9][0-9]* packets matched, 1 flow seen' "and has recorded"

case $VM_KERNEL in
6.1 | 6.1-rt | debug)
	is "$(status_of trace-cmd record-skb --shared -o "$OUT/shared.dat" -p 9000 -- true)" 125 "--shared is refused"
	has "$(cat "$OUT/stderr")" '^trace-cmd record-skb: --shared: on this kernel only one can record at a time' "it says why"
	is "$(wc -l <"$OUT/stderr")" 1 "lines of complaint"
	[ ! -e "$OUT/shared.dat" ] || fail "it left a file"
	;;
esac
