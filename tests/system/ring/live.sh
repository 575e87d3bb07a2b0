#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --live prints each packet when it has ended, with the same verdict as report-skb; the recording may be without a file
# tags: long
# requires: nft socat
# timeout: 120

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/ring.sh"

ring_setup
tracing_settings >"$OUT/before"

# live OPTION…: start a recording in the background, and wait until it has begun. Set $ring to its PID.
live() {
	trace-cmd record-skb --live --detail path -p 9000-9005 "$@" >"$OUT/lines" 2>"$OUT/said" &
	ring=$!
	at_exit stop "$ring"
	wait_for "a recording" grep -q '^trace-cmd record-skb: recording until' "$OUT/said"
}

# If a recording has a file, --live must print the same lines as report-skb prints for the file.
live -o "$OUT/trace.dat"
good 20
one 9001
one 9002
wait_for "the drop, while it records" grep -q ':9001 .*NETFILTER_DROP' "$OUT/lines"
wait_for "the refused one" grep -q ':9002 .*NO_SOCKET' "$OUT/lines"
wait_for "the delivered packets" eval "[ \$(grep -c ':9005 .*delivered' '$OUT/lines') = 20 ]"
kill -INT "$ring"
ring_ended 0
trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets" 2>"$OUT/losses"
sort "$OUT/lines" >"$OUT/lines.sorted"
sort "$OUT/packets" >"$OUT/packets.sorted"
diff -U 0 "$OUT/packets.sorted" "$OUT/lines.sorted" >&2 || fail "the lines differ from those of report-skb"
ok "the lines are those of report-skb: $(wc -l <"$OUT/lines")"
is "$(grep -c ':9001 .*NETFILTER_DROP' "$OUT/lines")" "$(dropped_by_nft)" "drops, by nft's counter"
rm "$OUT/trace.dat"

# Without a file, nothing must be written to the disk.
live -o /dev/null
good 20
one 9001
wait_for "the drop, while it records" grep -q ':9001 .*NETFILTER_DROP' "$OUT/lines"
wait_for "the delivered packets" eval "[ \$(grep -c ':9005 .*delivered' '$OUT/lines') = 20 ]"
kill -INT "$ring"
ring_ended 0
is "$(grep -c '^ *[0-9]' "$OUT/lines")" 21 "lines"
has "$(cat "$OUT/said")" '^21 packets matched' "matching packets"
has "$(cat "$OUT/said")" '^0 lost$' "lost entries"
is "$(dropped_by_nft)" 2 "drops, by nft's counter"
! compgen -G "$OUT/trace.dat*" && ! compgen -G "trace.dat*" || fail "it left a file"

# When the program that reads the lines exits, the recording must end.
trace-cmd record-skb --live -o /dev/null --detail path -p 9000-9005 2>"$OUT/said" | head -n 3 >"$OUT/lines" &
at_exit stop $!
wait_for "a recording" grep -q '^trace-cmd record-skb: recording until' "$OUT/said"
good 5
wait_for "the end" grep -q '^ended by the end of the program that read the lines of --live$' "$OUT/said"
is "$(wc -l <"$OUT/lines")" 3 "lines that were read"
wait_for "all to be put back" unrecorded
tracing_settings >"$OUT/after"
diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "the settings of tracing have changed"
