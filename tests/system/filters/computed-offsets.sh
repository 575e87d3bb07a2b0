#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: filter expressions with offsets from the packet, even far before its start, match the same packets as in tcpdump
# requires: socat tcpdump
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
ip netns exec B tcpdump --immediate-mode -U -i vb -w "$OUT/all.pcap" udp 2>"$OUT/tcpdump" &
tcpdump=$!
at_exit stop "$tcpdump"
wait_for "tcpdump" grep -q 'listening on' "$OUT/tcpdump"

# Send datagrams without data, and datagrams that contain an offset for the filter. The offsets point to four
# places: before the packet, before the range that the kernel reserves for header offsets, after the packet,
# and to the byte 1 at the end of the datagram.
cat >"$OUT/send" <<-'END'
	for i in 1 2 3; do
		socat -u - UDP-SENDTO:10.9.0.2:9001,shut-null </dev/null
		for index in '\xff\xff\xff\xf0' '\xff\xf0\x00\x00' '\xff\xe0\x00\x10' '\x80\x00\x00\x00' '\x7f\xff\xff\xff' '\x00\x00\x00\x0c'; do
			printf "$index\1" | socat -u - UDP-SENDTO:10.9.0.2:9001
		done
	done
END
matching() {
	tcpdump -r "$OUT/all.pcap" "$1" 2>/dev/null | wc -l
}
# A datagram with data has a UDP length of 13. So "udp[4:2] - 33" is -20, which is the offset from the UDP
# header back to the IP header. The first byte of the IP header is 0x45.
for expression in 'udp[udp[8:4]] = 1' 'udp[udp[4:2] - 30] = 1' 'udp[udp[4:2] - 33] = 0x45'; do
	was=$(matching "$expression")
	in_a trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" "$expression" -- bash "$OUT/send" 2>"$OUT/said" ||
		fail "$(cat "$OUT/said")"
	nothing_lost "$OUT/said"
	wait_for "tcpdump" eval '[ $(($(matching "udp dst port 9001") % 21)) = 0 ]'
	is "$(trace-cmd report-skb --list -i "$OUT/trace.dat" | grep -c 'udp .* > 10\.9\.0\.2:9001')" \
		$(($(matching "$expression") - was)) "$expression: as many packets as tcpdump finds"
done
[ "$(matching 'udp[udp[8:4]] = 1')" -ge 3 ] || fail "tcpdump finds no packet"
