#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: large packets of TCP and UDP are segmented for the device: each segment has the number of its packet
# requires: tcpdump ethtool socat
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"

two_namespaces
in_a ethtool -K va tso off tx-udp-segmentation off gso on >/dev/null
head -c 120000 /dev/urandom >"$OUT/sent"
# Unrelated traffic of the same kind uses port 7001.
background in_b socat -u TCP-LISTEN:7001,fork,reuseaddr OPEN:/dev/null
background in_b socat -u UDP-RECV:7001 OPEN:/dev/null
wait_for "the others" listening B 7001
wait_for "the others" udp_listening B 7001

# UDP_SEGMENT, which this socat does not know by name, cuts each datagram into pieces of 1000 bytes.
cat >"$OUT/command" <<'END'
for port in 7001 9000; do
	socat -u -b 60000 "OPEN:$OUT/sent" "TCP:10.9.0.2:$port" || exit
	socat -u -b 20000 "OPEN:$OUT/sent,readbytes=40000" "UDP:10.9.0.2:$port,setsockopt-int=17:103:1000" || exit
done
over 9000
END

has_come() {
	[ "$(stat -c %s "$OUT/came.udp")" = 40000 ]
}

# exchange WHAT COMMAND…: send both as the command of COMMAND
exchange() {
	local tcp udp
	in_b socat -u TCP-LISTEN:9000,reuseaddr "CREATE:$OUT/came.tcp" &
	tcp=$!
	at_exit stop $tcp
	in_b socat -u UDP-RECV:9000 "CREATE:$OUT/came.udp" &
	udp=$!
	at_exit stop $udp
	wait_for "who receives TCP" listening B 9000
	wait_for "who receives UDP" udp_listening B 9000
	in_a "${@:2}" bash "$OUT/command" 2>"$OUT/said" || fail "$1: $(cat "$OUT/said")"
	wait $tcp
	wait_for "the last segment of UDP" has_come
	stop $udp
	cmp "$OUT/sent" "$OUT/came.tcp" || fail "$1: the data received over TCP differs"
	cmp <(head -c 40000 "$OUT/sent") "$OUT/came.udp" || fail "$1: the data received over UDP differs"
	ok "$1: all that was sent came, in order"
}

exchange "without recording" env
tap A va
tap B vb
exchange "recorded" trace-cmd record-skb "${few[@]}" -l 'udp*' -l 'skb_segment' -b 16384 -o "$OUT/trace.dat" -p 9000 --
taps_end
nothing_lost "$OUT/said"
balanced "$OUT/trace.dat"
read_trace "$OUT/trace.dat"

as_tapped ip_rcv B vb 'dst port 9000'
[ "$tapped" -ge $((120000 / 1448 + 40)) ] || fail "there were only $tapped segments"
[ "$(tapped B vb 'dst port 7001' | wc -l)" -ge $((120000 / 1448 + 40)) ] || fail "there was no unrelated traffic"
# The receiver's own calls are recorded too, some of them before the peer is known.
only '10\.9\.0\.[12]:9000 | call: .* (tcp|udp) 0\.0\.0\.0:9000 > '
has_not "$(cat "$OUT/report")" ':7001\b' "unrelated packets"

# payload POINT DEVICE PROTOCOL HEADERS: print for each packet with data its number, the bytes of all its
# segments, and the number of segments
payload() {
	awk -v point="$1" -v dev="$2" -v proto="$3" -v headers="$4" -f "$here/rows.awk" -f /dev/stdin "$OUT/raw" <<-'END'
		row() && event == "packet" && field("func") == point && field("dev") == dev && field("proto") == proto {
			len = field("len") - headers
			# Skip a SYN, which has more options.
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

# cut PROTOCOL HEADERS SIZE: check that each packet was sent as one, and arrived in pieces of SIZE bytes with its
# number.
cut() {
	local many segments
	payload ip_output va "$1" "$2" >"$OUT/whole"
	# Each segment of UDP has a UDP header.
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
