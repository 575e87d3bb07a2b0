#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --ring keeps the newest entries; a dropped packet ends the ring and is complete in it; no verdict of an overwritten packet is wrong
# requires: nft socat
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/ring.sh"

ring_setup
tracing_settings >"$OUT/before"

# Send more packets than the ring can hold, and then the packet that is dropped.
ring --ring 512K --until drop=NETFILTER_DROP --linger 20ms
good 600
[ ! -e "$OUT/trace.dat" ] && ! compgen -G "$OUT/trace.dat.*" >"$OUT/parts" || fail "a file is written before the ring ends"
one 9001
good 10
ring_ended 0
is "$(dropped_by_nft)" 1 "packets that nft dropped"
has "$(cat "$OUT/said")" '^trace-cmd record-skb: recording until --until or Ctrl-C$' "the message says what it waits for"
has "$(cat "$OUT/said")" '^the ring held the last [0-9.]+ s; [1-9][0-9]* older entries were overwritten$' "the contents of the ring"
has "$(cat "$OUT/said")" '^ended by --until: #[0-9]+ was dropped$' "the reason for the end of the ring"
has "$(cat "$OUT/said")" 'entries recorded, 0 lost$' "overwritten entries do not count as lost"
number=$(ended_by "$OUT/trace.dat" "was dropped")
has "$(cat "$OUT/packets")" "^ *$number .*:9001 .*dropped .*NETFILTER_DROP" "#$number is nft's"
has "$(cat "$OUT/losses")" '^a ring: it holds all from [0-9.]+ on, .* older entries are overwritten$' "report-skb says that this was a ring"
has_not "$(cat "$OUT/losses")" '^(lost|missing|incomplete)' "no loss is reported"
# All packets to port 9005 were delivered, so no other verdict may appear.
has_not "$(cat "$OUT/packets")" ':9005 .*(dropped|sent|forwarded|freed|consumed)' "false verdicts"
[ "$(grep -c ':9005 ' "$OUT/packets")" -gt 20 ] || fail "the ring has hardly any packets from before the drop"
tracing_settings >"$OUT/after"
diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "the settings of tracing have changed"

# After Ctrl-C, the ring must be written, too.
ring --ring 4M
good 20
kill -INT "$ring"
ring_ended 0
has_not "$(cat "$OUT/said")" 'overwritten' "nothing was overwritten"
trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets" 2>"$OUT/losses"
is "$(grep -c ':9005 .*delivered' "$OUT/packets")" 20 "packets in it"
has "$(cat "$OUT/losses")" '^complete: no entries lost$' "complete"

# If the recorder is killed before the ring ends, the settings of tracing must be restored.
rm "$OUT/trace.dat"
ring --ring 1M --until drop
kill -KILL "$ring"
wait_for "all to be put back" unrecorded
tracing_settings >"$OUT/after"
diff -U 0 "$OUT/before" "$OUT/after" >&2 || fail "the settings of tracing have changed after SIGKILL"
! compgen -G "$OUT/trace.dat*" || fail "SIGKILL leaves a file"
