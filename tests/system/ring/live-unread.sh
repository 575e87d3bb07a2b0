#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: lines of --live that are not read in time are left out and counted; traffic and file do not wait; a killed recorder leaves no process
# requires: nft socat mkfifo
# tags: long
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/ring.sh"

ring_setup
mkfifo "/tmp/unread.$$"
at_exit rm -f "/tmp/unread.$$"
exec 5<>"/tmp/unread.$$"
packets=9000
received() {
	in_b nstat -az UdpInDatagrams 2>/dev/null | awk '$1 == "UdpInDatagrams" { print $2 }'
}
# all_came: true if the receiver has read all packets. The receiver counts them.
all_came() {
	[ $(($(received) - was)) = $packets ]
}

for options in "-o /dev/null" "-o $OUT/trace.dat"; do
	was=$(received)
	# shellcheck disable=SC2086
	trace-cmd record-skb --live --detail path -b 65536 -p 9000-9005 $options >&5 2>"$OUT/said" &
	ring=$!
	at_exit stop "$ring"
	wait_for "a recording" grep -q '^trace-cmd record-skb: recording until' "$OUT/said"
	good $packets
	wait_for "$options: $packets packets to come, by the kernel's own count, although no process reads the lines" all_came
	kill -INT "$ring"
	ring_ended 0
	has "$(cat "$OUT/said")" '^--live: [1-9][0-9]* lines were not read in time and are left out$' "$options: lines are counted"
	has "$(cat "$OUT/said")" "^$packets packets matched" "$options: packets"
	left_out=$(sed -n 's/^--live: \([0-9]*\) lines.*/\1/p' "$OUT/said")
	[ "$left_out" -lt $packets ] || fail "all are left out"
	# Each packet has one line, and the table has one line for its head. Each of these lines must be
	# either in the pipe or left out.
	while IFS= read -r -t 1 -u 5 line; do
		printf '%s\n' "$line"
	done >"$OUT/lines"
	is $(($(wc -l <"$OUT/lines") + left_out)) $((packets + 1)) "$options: lines in the pipe and those left out"
done
trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets" 2>"$OUT/losses"
has "$(cat "$OUT/losses")" '^complete: no entries lost$' "the file is whole"
is "$(grep -c ':9005 .*delivered' "$OUT/packets")" $packets "packets in the file"

# If the recorder is killed, the process that prints the lines must end, too.
trace-cmd record-skb --live -o /dev/null --detail path -p 9000-9005 >"$OUT/lines" 2>"$OUT/said" &
ring=$!
wait_for "a recording" grep -q '^trace-cmd record-skb: recording until' "$OUT/said"
kill -KILL "$ring"
wait "$ring" || :
wait_for "all to be put back" unrecorded
wait_for "the end of what prints the lines" eval '! pgrep -f -- --live-lines'
ok "a killed recorder leaves no process"
