#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --pcap has the segments of large packets as tcpdump sees them on both devices, in the order of time
# requires: tcpdump ethtool socat
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/large-packets.sh"

record_segments

# frames FILE…: print a line for each frame of port 9000, with all its numbers, without time
frames() {
	local file
	for file; do
		tcpdump -nn -t -r "$file" 'port 9000' 2>/dev/null
	done | sed 's/^[^0-9]*//' | sort
}
trace-cmd report-skb --pcap "$OUT/trace.pcapng" "$OUT/trace.dat" 2>"$OUT/report"
frames "$OUT/A.va.pcap" "$OUT/B.vb.pcap" >"$OUT/wanted"
frames "$OUT/trace.pcapng" >"$OUT/written"
diff "$OUT/wanted" "$OUT/written" >&2 || fail "--pcap has (>) not the frames that tcpdump saw on both devices (<)"
ok "--pcap: the $(wc -l <"$OUT/written") frames that tcpdump saw on both devices"
tcpdump -nn -tt -r "$OUT/trace.pcapng" 2>/dev/null | awk '{ print $1 }' >"$OUT/times"
sort -c -n "$OUT/times" || fail "--pcap: not in the order of time"
ok "--pcap: in the order of time"
