#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a second recording fails with a message that names the first one, and does not disturb it
# tags: long
# timeout: 180

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
server B 9000

recording() {
	[ "$(cat "$tracing/current_tracer")" = function_graph ] && [ -e "$OUT/started" ]
}

# Start the recorder without in_a, so that $! is the PID of the process that holds the device.
ip netns exec A trace-cmd record-skb -l __dev_queue_xmit -o "$OUT/first.dat" -p 9000 -- \
	bash -c "touch $OUT/started; until [ -e $OUT/enough ]; do sleep 0.1; done; exit 7" 2>"$OUT/first" &
first=$!
wait_for "the first recording" recording

is "$(status_of trace-cmd record-skb -o "$OUT/second.dat" -p 9000 -- true)" 125 "the second is refused"
has "$(cat "$OUT/stderr")" "^trace-cmd record-skb: trace-cmd[-a-z]* \\(pid $first\\) is recording packets" "the message names the process"
is "$(wc -l <"$OUT/stderr")" 1 "lines of complaint"
[ ! -e "$OUT/second.dat" ] || fail "the second left a file"

# The message must not suggest to remove the file of the first recording.
is "$(status_of trace-cmd record-skb -o "$OUT/first.dat" -p 9000 -- true)" 125 "into the first's file"
has "$(cat "$OUT/stderr")" "^trace-cmd record-skb: trace-cmd[-a-z]* \\(pid $first\\) is recording packets" "the message names the process"
is "$(status_of trace-cmd record-skb --shared -o "$OUT/first.dat" -p 9000 -- true)" 125 "the same, with --shared"
has "$(cat "$OUT/stderr")" "^trace-cmd record-skb: another recording is writing to $OUT/first.dat: choose another -o$" "the message names the file"
[ -e "$OUT/first.dat.cpu0" ] || fail "the parts of the first recording were removed"

is "$(status_of trace-cmd record-skb --shared -o "$OUT/second.dat" -p 9000 -- true)" 125 "a shared recording is refused"
has "$(cat "$OUT/stderr")" "^trace-cmd record-skb: trace-cmd[-a-z]* \\(pid $first\\) is recording packets: only one" "the message names the process"
is "$(wc -l <"$OUT/stderr")" 1 "lines of complaint"
# The message must not suggest --shared on kernels that do not support it.
case $VM_KERNEL in
6.1 | 6.1-rt | debug) has_not "$(cat "$OUT/stderr")" 'unless all of them use --shared' "--shared is not suggested" ;;
*) has "$(cat "$OUT/stderr")" 'unless all of them use --shared' "--shared is suggested" ;;
esac

client A 10.9.0.2 9000 hello >/dev/null
touch "$OUT/enough"
status=0
wait "$first" || status=$?
is "$status" 7 "the first ends as its command did"
has "$(cat "$OUT/first")" '^[1-9][0-9]* packets matched, 1 flow seen' "the first recording has packets"

case $VM_KERNEL in
6.1 | 6.1-rt | debug)
	is "$(status_of trace-cmd record-skb --shared -o "$OUT/shared.dat" -p 9000 -- true)" 125 "--shared is refused"
	has "$(cat "$OUT/stderr")" '^trace-cmd record-skb: --shared: on this kernel, only one recording can run at a time' "the message gives the reason"
	is "$(wc -l <"$OUT/stderr")" 1 "lines of complaint"
	[ ! -e "$OUT/shared.dat" ] || fail "it left a file"
	;;
esac
