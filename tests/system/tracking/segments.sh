#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: when large TCP and UDP packets are segmented for the device, each segment has the number of its packet, and its frame is in --pcap
# requires: tcpdump ethtool socat
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/large-packets.sh"

exchange "without recording" env
record_segments
balanced "$OUT/trace.dat"
read_trace "$OUT/trace.dat"

as_tapped ip_rcv B vb 'dst port 9000'
[ "$tapped" -ge $((120000 / 1448 + 40)) ] || fail "there were only $tapped segments"
[ "$(tapped B vb 'dst port 7001' | wc -l)" -ge $((120000 / 1448 + 40)) ] || fail "there was no unrelated traffic"
# The receiver's own calls are recorded, too. Some of them come before the peer is known.
only '10\.9\.0\.[12]:9000 | call: .* (tcp|udp) 0\.0\.0\.0:9000 > '
has_not "$(cat "$OUT/report")" ':7001\b' "unrelated packets"

# payload POINT DEVICE PROTOCOL HEADERS: for each packet with data at POINT, print three numbers: the
# packet's number, how many bytes of data all its segments have together, and how many segments it has
payload() {
	awk -v point="$1" -v dev="$2" -v proto="$3" -v headers="$4" -f "$here/rows.awk" -f /dev/stdin "$OUT/raw" <<-'END'
		row() && event == "packet" && field("func") == point && field("dev") == dev && field("proto") == proto {
			len = field("len") - headers
			# Skip SYNs, because they have more options.
			if (len <= 0 || int(field("tcp_flags") / 2) % 2)
				next
			bytes[field("pkt")] += len
			pieces[field("pkt")]++
		}
		END {
			for (n in bytes)
				print n, bytes[n], pieces[n] | "sort -n"
		}
	END
}

# cut PROTOCOL HEADERS SIZE: check that each packet left the IP layer of A as one large packet. In B, it
# must arrive as segments of SIZE bytes that have the number of the large packet.
cut() {
	local many segments
	payload ip_output va "$1" "$2" >"$OUT/whole"
	# Each UDP segment has its own UDP header.
	payload ip_rcv vb "$1" "$2" >"$OUT/pieces"
	awk -v size="$3" '{ print $1, $2, int(($2 + size - 1) / size) }' "$OUT/whole" >"$OUT/wanted"
	diff "$OUT/wanted" "$OUT/pieces" >&2 || fail "proto $1: the pieces (>) are not those of the sent packets (<)"
	is "$(awk '$3 != 1' "$OUT/whole")" "" "proto $1: each was sent once"
	many=$(awk '$3 > 1' "$OUT/pieces" | wc -l)
	segments=$(awk '$3 > 1 { n += $3 } END { print n + 0 }' "$OUT/pieces")
	[ "$many" -gt 0 ] || fail "proto $1: nothing was cut"
	ok "proto $1: $many packets were cut, and their $segments segments have their numbers"
}
cut 6 52 1448
cut 17 28 1000
is "$(awk '{ print $2, $3 }' "$OUT/pieces" | sort | uniq -c | tr -s ' ')" " 2 20000 20" "two datagrams, in twenty each"

# frames FILE…: for each frame of port 9000, print its line in the output of tcpdump, without the time
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
