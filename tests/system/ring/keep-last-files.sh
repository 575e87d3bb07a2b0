#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --keep writes a file for each drop, keeps the last two, and removes no other files
# requires: nft socat
# tags: long
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/ring.sh"

ring_setup

# The last two of three files must be kept. Files that are not rings must not be removed.
touch "$OUT/trace.dat"
is "$(status_of in_a trace-cmd record-skb -o "$OUT/trace.dat" --ring 4M --keep 2 --until drop -- true)" 125 "--keep with an existing file"
rm "$OUT/trace.dat"
echo mine >"$OUT/trace-20200101-000000.000.dat"
was=$(dropped_by_nft)
ring --ring 4M --keep 2 --until drop=NETFILTER_DROP
for n in 1 2 3; do
	good 6
	one 9001
	wait_for "incident $n" eval "[ \$(grep -c 'was dropped: ' '$OUT/said') = $n ] && [ \$(cat $tracing/tracing_on) = 1 ] && armed"
done
kill -INT "$ring"
ring_ended 0
is "$(($(dropped_by_nft) - was))" 3 "packets that nft dropped"
has "$(cat "$OUT/said")" '^3 rings written$' "the summary"
mapfile -t kept < <(sed -n 's/.* was dropped: //p' "$OUT/said")
[ ! -e "${kept[0]}" ] || fail "the oldest of three is there"
for file in "${kept[1]}" "${kept[2]}"; do
	number=$(ended_by "$file" "was dropped")
	has "$(cat "$OUT/packets")" "^ *$number .*:9001 .*NETFILTER_DROP" "$file has its drop"
	is "$(grep -c ':9001' "$OUT/packets")" 1 "drops in the file"
done
is "$(cat "$OUT/trace-20200101-000000.000.dat")" mine "a file that is not ours"
[ ! -e "$OUT/trace.dat" ] || fail "it left one more file"
