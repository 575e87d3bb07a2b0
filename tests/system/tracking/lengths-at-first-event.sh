#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: LEN is right even if the memory of a packet still has the header of another packet at its first event
# vm: --nics

# Network: A (10.9.0.1) card --- hub --- card (10.9.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/nics.sh"

nics e1000
# Send packets of decreasing lengths. When the first event of a packet is recorded, the memory of the packet
# may still contain the header of an earlier packet, with another length.
cat >"$OUT/command" <<'END'
for size in $(seq 310 -7 100); do
	ping -q -c 1 -s $size 10.9.0.2 || exit
done
END
trace-cmd record-skb --detail path -o "$OUT/each.dat" icmp -- ip netns exec A bash "$OUT/command" \
	>"$OUT/printed" 2>"$OUT/said" || fail "$(cat "$OUT/said")"
nothing_lost "$OUT/said"
trace-cmd report-skb --json "$OUT/each.dat" 2>"$OUT/report" >"$OUT/json"
is "$(sed -nE 's/^\{"type":"packet",.*"destination":\{"address":"10.9.0.2"\}.*"length":([0-9]+).*/\1/p' "$OUT/json" | uniq -c | tr -s ' ')" \
	"$(seq 338 -7 128 | sed 's/^/ 2 /')" "report-skb: LEN of each of many that differ"
