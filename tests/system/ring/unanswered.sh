#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a ring ends at a request with a late or missing answer, and not at answered requests or packets that ask for nothing
# requires: nc socat tcpdump
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/ring.sh"

ring_setup
# heard FILE BYTES: true if BYTES bytes have arrived in FILE
heard() {
	[ "$(wc -c <"$OUT/$1")" = "$2" ]
}

# Make two connections before the recording, so that the recorder cannot see which end is the client. In the
# second connection, even the port numbers do not show it.
mkfifo "$OUT/a" "$OUT/b"
in_b nc -l 9002 <>"$OUT/b" >"$OUT/to_b" &
at_exit stop $!
wait_for "port 9002" listening B 9002
in_a nc 10.9.0.2 9002 <>"$OUT/a" >"$OUT/to_a" &
at_exit stop $!
echo 1234 >"$OUT/b"
wait_for "the first data from B" heard to_a 5
mkfifo "$OUT/d"
in_b nc -l 9001 <>"$OUT/d" >/dev/null &
at_exit stop $!
wait_for "port 9001" listening B 9001
in_a nc -d -p 4243 10.9.0.2 9001 >"$OUT/to_c" &
at_exit stop $!
echo 1234 >"$OUT/d"
wait_for "the first data from B on the other connection" heard to_c 5

serve 9000 recv 10 send 10 recv 10 send 10 sleep 2500 send 10 recv 60 send 1 sleep 2500
ring --ring 4M --until unanswered=2s

# None of these packets waits long for an answer, so they must not end the ring: quick requests; data from B
# that is only acknowledged; a request in pieces; a silent client; connections refused by a reset or an ICMP
# error; and data from B on a connection where it is not known whether B asks for anything.
ask 9000 send 10 recv 10 send 10 recv 20 send 10 sleep 600 send 10 sleep 600 send 10 sleep 600 send 10 sleep 600 send 10 sleep 600 send 10 recv 1 sleep 2500
in_a bash -c ': >/dev/tcp/10.9.0.2/9003' 2>/dev/null && fail "a server listens at port 9003"
one 9004
echo 1234 >"$OUT/b"
wait_for "the next data from B" heard to_a 10
echo 1234 >"$OUT/d"
wait_for "the next data from B on the other connection" heard to_c 10
sleep 2.5
is "$(cat "$tracing/tracing_on") $(grep -c '^ended' "$OUT/said" || :)" "1 0" "the ring continues"

ip netns exec A tcpdump --immediate-mode -U -i va -w "$OUT/pcap" tcp port 9002 2>"$OUT/tcpdump" &
tcpdump=$!
at_exit stop $tcpdump
wait_for "tcpdump" grep -q 'listening on' "$OUT/tcpdump"
printf '%0333d' 0 >"$OUT/a"
wait_for "the request" heard to_b 333
sleep 3
printf 1 >"$OUT/b"
ended_unanswered
wait_for "the answer" heard to_a 11
capture_ends $tcpdump
waited=$(tcpdump -ttnr "$OUT/pcap" 'greater 60' 2>/dev/null | awk '/length 333$/ { asked = $1 } /length 1$/ { print int($1 - asked) }')
[ "$waited" -ge 3 ] || fail "the answer was not late: $waited s"
ok "$waited seconds until the answer, by tcpdump"
is "$(trace-cmd report-skb -i "$OUT/trace.dat" --columns packet,flow,len 2>/dev/null | awk -v n="$number" '$1 == n { print $NF }')" \
	"$(tcpdump -nvr "$OUT/pcap" 'greater 300' 2>/dev/null | sed -n 's/.* length \([0-9]*\))$/\1/p')" "bytes of #$number, and of the request"
has "$(cat "$OUT/packets")" ' 10\.9\.0\.2:9002 > 10\.9\.0\.1:' "the answer is there, too"

# Nothing answers these requests.
ring --ring 4M --until unanswered=2s
one 9004
one 9005
ended_unanswered
has "$(cat "$OUT/packets")" "^ *$number .*:9005 .*delivered" "#$number is the one"
