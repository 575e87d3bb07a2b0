#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --live prints each packet when it has ended, with the verdict that report-skb has, with a file and without one
# requires: nft socat
# timeout: 120

. "$(dirname "$0")/lib.sh"
. "$here/ring.sh"

ring_setup
tracing_settings >"$OUT/before"

# live OPTION…: record in the background, until it is armed; it is $ring.
live() {
	trace-cmd record-skb --live --detail path -p 9000-9005 "$@" >"$OUT/lines" 2>"$OUT/said" &
	ring=$!
	at_exit stop "$ring"
	wait_for "a recording" grep -q '^trace-cmd record-skb: recording until' "$OUT/said"
}

# With a file: what is told of a packet while it records is what its file has.
live -o "$OUT/trace.dat"
good 20
one 9001
one 9002
wait_for "the drop, while it records" grep -q ':9001 .*NETFILTER_DROP' "$OUT/lines"
wait_for "the refused one" grep -q ':9002 .*NO_SOCKET' "$OUT/lines"
wait_for "what was delivered" eval "[ \$(grep -c ':9005 .*delivered' '$OUT/lines') = 20 ]"
kill -INT "$ring"
ring_ended 0
trace-cmd report-skb -i "$OUT/trace.dat" >"$OUT/packets" 2>"$OUT/losses"
sort "$OUT/lines" >"$OUT/lines.sorted"
sort "$OUT/packets" >"$OUT/packets.sorted"
diff -U 0 "$OUT/packets.sorted" "$OUT/lines.sorted" >&2 || fail "the lines are not those of report-skb"
ok "the lines are those of report-skb: $(wc -l <"$OUT/lines")"
is "$(grep -c ':9001 .*NETFILTER_DROP' "$OUT/lines")" "$(dropped_by_nft)" "drops, by nft's counter"
rm "$OUT/trace.dat"

# Without one: nothing is written.
live --no-file
good 20
one 9001
wait_for "the drop, while it records" grep -q ':9001 .*NETFILTER_DROP' "$OUT/lines"
wait_for "what was delivered" eval "[ \$(grep -c ':9005 .*delivered' '$OUT/lines') = 20 ]"
kill -INT "$ring"
ring_ended 0
is "$(grep -c '^ *[0-9]' "$OUT/lines")" 21 "lines"
has "$(cat "$OUT/said")" '^21 packets matched' "packets by the module's count"
has "$(cat "$OUT/said")" '^0 lost$' "none lost"
is "$(dropped_by_nft)" 2 "drops, by nft's counter"
! compgen -G "$OUT/trace.dat*" && ! compgen -G "trace.dat*" || fail "there is a file"

# Who reads the first lines and goes ends it.
trace-cmd record-skb --live --no-file --detail path -p 9000-9005 2>"$OUT/said" | head -n 3 >"$OUT/lines" &
at_exit stop $!
wait_for "a recording" grep -q '^trace-cmd record-skb: recording until' "$OUT/said"
good 5
wait_for "the end" grep -q '^ended by whoever read the lines of --live, and is gone$' "$OUT/said"
is "$(wc -l <"$OUT/lines")" 3 "lines that were read"
wait_for "all to be put back" unrecorded
tracing_settings >"$OUT/after"
diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "tracing is not as it was"
