#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a ring can end at a slow packet, at a matching packet, at a limit, or at the exit status of the command
# requires: nft socat tc
# tags: long
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/ring.sh"

ring_setup

# At first, all packets are quick. Then netem delays packets by 50 ms. The next packet is slow and ends the
# ring.
ring --ring 4M --until slower=20ms
good 30
in_a tc qdisc add dev va root netem delay 50ms
one 9005
ring_ended 0
has "$(cat "$OUT/said")" '^ended by --until: #[0-9]+ was slow$' "the reason for the end of the ring"
ended_by "$OUT/trace.dat" "was there for too long"

# The queue keeps the packet longer than the test runs. --until must stop the ring while the packet is still
# in the queue.
in_a tc qdisc replace dev va root netem delay 100s
ring --ring 4M --until slower=100ms
one 9005
ring_ended 0
has "$(cat "$OUT/said")" '^ended by --until: #[0-9]+ was slow$' "the reason for the end of the ring, before the end of the packet"
in_a tc qdisc del dev va root

ring --ring 4M --until 'match=udp src port 9005 or udp dst port 9002'
good 30
one 9002
ring_ended 0
has "$(cat "$OUT/said")" '^ended by --until: #[0-9]+ matched$' "the reason for the end of the ring"
number=$(ended_by "$OUT/trace.dat" "matched --until")
has "$(cat "$OUT/packets")" "^ *$number .*:9002 .*NO_SOCKET" "#$number is the one"

# A limit must end the ring and make the file, too.
rm -f "$OUT/trace.dat"
ring --ring 4M --until drop=NETFILTER_DROP --until time=2s
good 30
ring_ended 0
has "$(cat "$OUT/said")" '^ended by --until time$' "the reason for the end of the ring"
[ -s "$OUT/trace.dat" ] || fail "there is no file"

# With --until exit=failed, only a command that fails makes a file.
rm -f "$OUT/trace.dat"
run() {
	in_a trace-cmd record-skb --detail path -o "$OUT/trace.dat" --ring 4M "$@"
}
is "$(status_of run --until exit=failed -- "$traffic" number 10.9.0.2 9005 0)" 0 "a command that does well"
has "$(cat "$OUT/stderr")" '^nothing triggered --until: no file is written$' "is not worth a file"
[ ! -e "$OUT/trace.dat" ] || fail "a file is written although the command fails"
is "$(status_of run --until exit=7 -- sh -c "$traffic number 10.9.0.2 9005 0; exit 7")" 7 "a command that fails"
is "$(trace-cmd report-skb --list -i "$OUT/trace.dat" 2>/dev/null | grep -c ':9005 .*delivered')" 5 "is"
is "$(status_of run --until drop=NO_SUCH_REASON -- true)" 125 "a reason that does not exist"
has "$(cat "$OUT/stderr")" "no drop reason 'NO_SUCH_REASON'" "which"
