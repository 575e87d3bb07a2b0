#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: after the command has ended, its last packets are still recorded; also with --linger 0, with a limit that is too short, and with Ctrl-C
# requires: tcpdump tc socat
# tags: main
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
neighbours_known
steps=$(program steps)
background in_b socat -u TCP-LISTEN:9000,reuseaddr,fork OPEN:/dev/null
wait_for "a server" listening B 9000

# delay MSEC: delay each packet from A by MSEC milliseconds
delay() {
	ip netns exec A tc qdisc replace dev va root netem delay "$1ms"
}

# The client sends data and exits. Then the kernel delivers the data and closes the connection.
client="$steps connect 10.9.0.2 9000 send 100"

# recorded OPTION…: record a client that exits with 7, while tcpdump captures its packets
recorded() {
	local tcpdump
	ip netns exec B tcpdump --immediate-mode -U -i vb -w "$OUT/pcap" "tcp port 9000" 2>"$OUT/tcpdump" &
	tcpdump=$!
	wait_for "tcpdump" grep -q 'listening on' "$OUT/tcpdump"
	is "$(status_of trace-cmd record-skb --detail path -o "$OUT/trace.dat" "$@" -- ip netns exec A sh -c "$client; exit 7")" 7 \
		"$*: the command's exit status"
	# The recording may end before the kernel has closed the connection. So wait until tcpdump has seen
	# both FINs.
	wait_for "the connection to end" sh -c "[ \"\$(tcpdump -r '$OUT/pcap' 'tcp[tcpflags] & tcp-fin != 0' 2>/dev/null | wc -l)\" -ge 2 ]"
	pause 0.5
	capture_ends $tcpdump
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets" 2>"$OUT/losses"
	grep ' tcp 10' "$OUT/packets" >"$OUT/tcp" || :
}
on_wire() {
	tcpdump -nr "$OUT/pcap" "$@" 2>/dev/null | wc -l
}

delay 200
recorded
is "$(wc -l <"$OUT/tcp")" "$(on_wire)" "packets of the connection, as tcpdump has seen them"
is "$(grep -cE ':9000 +F|9000 > [0-9.:]* +F' "$OUT/tcp")" "$(on_wire 'tcp[tcpflags] & tcp-fin != 0')" "its FINs"
is "$(grep -cvE ' (consumed by|delivered to) ' "$OUT/tcp")" 0 "packets with another end than consumed or delivered"
has_not "$(cat "$OUT/stderr")" 'cut off' "nothing was cut off"

recorded --linger 0
[ "$(wc -l <"$OUT/tcp")" -lt "$(on_wire)" ] || fail "--linger 0: the recording has gone on"
ok "--linger 0 ends with the command: $(wc -l <"$OUT/tcp") of $(on_wire) packets"
delay 2000
recorded --linger 100ms
has "$(cat "$OUT/stderr")" '^traffic was cut off 0\.1 s after the command: [1-9][0-9]* packets? under way' "a connection that is cut off is reported"

# Ctrl-C while --linger waits must end the recording at once.
delay 60000
trace-cmd record-skb --detail path --linger 600s -o "$OUT/trace.dat" -- \
	ip netns exec A sh -c "$steps open 10.9.0.2 9001 send 100; touch $OUT/ended; exit 7" 2>"$OUT/said" &
cli=$!
wait_for "the command to end" [ -e "$OUT/ended" ]
pause 1
kill -0 $cli || fail "the recording has ended with the command"
kill -INT $cli
status=0
wait $cli || status=$?
is "$status" 7 "after Ctrl-C the exit status is the command's"
has "$(cat "$OUT/said")" '^1 packet matched' "the file is written"
