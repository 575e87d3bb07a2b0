#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: packets that wait in a socket because its reader sleeps have the verdict "queued", and not "dropped"
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B; packets that leave A are also sent on d0

. "$(dirname "$0")/../lib/lib.sh"
. "$here/skbs.sh"

mirrored_namespaces
count=20

# Stop the reader, so that the packets stay in the socket.
in_b socat -u UDP-RECV:9000 "CREATE:$OUT/read" &
reader=$!
at_exit stop $reader
wait_for "the reader" udp_listening B 9000
socat=$(pgrep -P $reader || echo $reader)
kill -STOP "$socat"
read=$(counter B Udp InDatagrams)
in_a trace-cmd record-skb "${few[@]}" -o "$OUT/queued.dat" -p 9000 -- \
	"$traffic" number 10.9.0.2 9000 "$count" 100 2>"$OUT/said" || fail "$(cat "$OUT/said")"
read=$(($(counter B Udp InDatagrams) - read))
kill -CONT "$socat"
trace-cmd report -R -i "$OUT/queued.dat" >"$OUT/raw"
is "$read" 0 "the reader sleeps"
skbs "$OUT/raw" >"$OUT/skbs" || fail "$OUT/raw"
is "$(awk '$3 == "queued"' "$OUT/skbs" | wc -l)" "$((count + 5))" "as many are queued as were sent"
is "$(awk '$3 == "drop"' "$OUT/skbs")" "" "dropped skbs"
