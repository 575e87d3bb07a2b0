#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: two matching flows and unrelated traffic take turns on one CPU, and each line of the report has the flow of its own packet
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000 9001 7001
taskset -p -c 0 "$!" >/dev/null
taskset -c 0 ip netns exec A "$traffic" chat 10.9.0.2 7001 &
chat=$!
at_exit stop $chat
# If the test ends while the background client is stopped, let the client continue. A stopped process cannot
# end.
at_exit sh -c "kill -CONT $chat 2>/dev/null; :"

# The kernel must resolve B's address for the first packet of the first connection. ARP then runs inside the
# graph of this packet: it is the most common unrelated packet in a graph. The background client would
# resolve the address earlier, so stop it until then. After that, run two clients at the same time.
cat >"$OUT/command" <<'END'
kill -STOP "$2"
ip neigh flush dev va
"$1" talk 10.9.0.2 1 9000
kill -CONT "$2"
"$1" talk 10.9.0.2 8 9000 &
"$1" talk 10.9.0.2 8 9001
wait $!
END
in_a taskset -c 0 trace-cmd record-skb "${few[@]}" -l 'arp_*' -b 16384 -o "$OUT/trace.dat" -p 9000,9001 -- \
	bash "$OUT/command" "$traffic" $chat 2>"$OUT/said" || fail "$(cat "$OUT/said")"
stop $chat
nothing_lost "$OUT/said"

balanced "$OUT/trace.dat"
said=$(owners "$OUT/trace.dat")
echo "$said"
has "$said" '[1-9][0-9][0-9]+ lines of packets' "the graphs have lines of matching packets"
has "$said" '[1-9][0-9]+ changes' "the packet changes within a graph"

is "$(grep -c '\[00[1-9]\].* packet: ' "$OUT/report" || [ $? = 1 ])" 0 "all packets were on CPU 0"
# Check that both flows were active at the same time: packets of the first flow must come between packets of
# the second one.
turns=$(sed -n 's/.* packet: *#[0-9]* ip_rcv .*:\(900[01]\) .*/\1/p' "$OUT/report" | uniq | wc -l)
[ "$turns" -gt 4 ] || fail "the flows did not take turns: $turns"
grep -Eq ' other: *[a-z_0-9]+ ' "$OUT/report" || fail "no unrelated packet ran inside a graph"
ok "an unrelated packet ran inside a graph"
has_not "$(grep funcgraph_entry "$OUT/report")" ':7001\b' "no line has the unrelated flow"
