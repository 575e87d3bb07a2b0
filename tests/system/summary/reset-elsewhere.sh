#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why names the packet that a reset answers, even if the reset was sent in a namespace that is not recorded
# requires: nstat
# tags: slow
# timeout: 120

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B. No socket listens.

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
neighbours_known
trace-cmd record-skb --netns A -o "$OUT/trace.dat" -p 9000 -- ip netns exec A bash -c 'for n in 1 2; do echo >/dev/tcp/10.9.0.2/9000; done; :' \
	2>"$OUT/said" || fail "$(cat "$OUT/said")"
nothing_lost "$OUT/said"
is "$(in_b nstat -asz TcpOutRsts | awk '/OutRsts/ { print $2 }')" 2 "resets that B has sent"
trace-cmd report-skb -i "$OUT/trace.dat" --list --columns packet,flags,flow >"$OUT/list" 2>/dev/null
cat "$OUT/list"
trace-cmd report-skb -i "$OUT/trace.dat" --why >"$OUT/why" 2>/dev/null
cat "$OUT/why"
syn=$(awk '$2 == "S" { print $1; exit }' "$OUT/list")
has "$(cat "$OUT/why")" "^    sent in answer to #$syn: (no socket|the kernel's reason: NO_SOCKET)" "the SYN is named"
has_not "$(cat "$OUT/why")" 'does not show its sender' "the sender is known"
has "$(cat "$OUT/why")" "^    by #2, sent in answer to #$syn: " "the call that failed names the reset"
