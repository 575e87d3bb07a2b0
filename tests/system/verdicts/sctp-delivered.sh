#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: SCTP packets with data that a program has read are reported neither as dropped nor as consumed by SCTP
# tags: long
# requires: tcpdump

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"

modprobe sctp
# The module sctp cannot be unloaded, because its own sockets use it.
two_namespaces
head -c 3000 /dev/urandom >"$OUT/sent"
background in_b socat -u SCTP-LISTEN:9000 "CREATE:$OUT/received"
wait_for "the listener" eval "in_b grep -q ' 9000 ' /proc/net/sctp/eps"
tap B vb sctp
in_a trace-cmd record-skb -o "$OUT/trace.dat" -p 9000 -- \
	socat -u "OPEN:$OUT/sent" SCTP-CONNECT:10.9.0.2:9000 2>"$OUT/said" || fail "$(cat "$OUT/said")"
taps_end
nothing_lost "$OUT/said"
cmp "$OUT/sent" "$OUT/received" || fail "the received data differs from the sent data"
trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
cat "$OUT/packets"
trace-cmd report-skb --json -i "$OUT/trace.dat" | grep '"type":"packet"' >"$OUT/json"

# came EXPRESSION: print how many packets that match EXPRESSION passed B's device
came() {
	tcpdump -r "$OUT/B.vb.pcap" -nn "$1" 2>"$OUT/tcpdump" | wc -l
}
# In this test, all chunks of a packet have data, or none has. So the first chunk shows if the packet has
# data.
has_data='ip[32] = 0'
is "$(grep -c . "$OUT/json")" "$(came sctp)" "packets"
has_not "$(cat "$OUT/packets")" 'dropped' "nothing was dropped"
is "$(grep -cE '"what":"(copied|freed|unknown)"' "$OUT/json")" "$(came "sctp and $has_data")" \
	"packets with data and without a verdict"
is "$(grep -c '"what":"consumed","function":"sctp_rcv"' "$OUT/json")" "$(came "sctp and not $has_data")" \
	"packets of SCTP itself"
