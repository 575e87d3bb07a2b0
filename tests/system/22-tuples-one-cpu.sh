#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: two flows and strangers take turns on one CPU: each line of the report has its own packet's flow
# timeout: 300

. "$(dirname "$0")/lib.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000 9001 7001
taskset -p -c 0 "$!" >/dev/null
taskset -c 0 ip netns exec A "$traffic" chat 10.9.0.2 7001 &
chat=$!
at_exit stop $chat
# It may have been stopped for good.
at_exit sh -c "kill -CONT $chat 2>/dev/null; :"

# First a connection that needs B's address resolved, in the middle of its first packet's graph: the commonest
# stranger there. The other client waits, lest it resolve it before. Then two at once.
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
has "$said" '[1-9][0-9][0-9]+ lines of packets' "there are lines to look at"
has "$said" '[1-9][0-9]+ changes' "whose they are changes inside graphs"

is "$(grep -c '\[00[1-9]\].* packet: ' "$OUT/report" || [ $? = 1 ])" 0 "nothing ran on another CPU"
# Both flows were under way at once: a packet of the one between two of the other.
turns=$(sed -n 's/.* packet: *#[0-9]* ip_rcv .*:\(900[01]\) .*/\1/p' "$OUT/report" | uniq | wc -l)
[ "$turns" -gt 4 ] || fail "the flows did not take turns: $turns"
grep -Eq ' other: *[a-z_0-9]+ ' "$OUT/report" || fail "there was no stranger inside a graph"
ok "there was a stranger inside a graph"
has_not "$(grep funcgraph_entry "$OUT/report")" ':7001\b' "no line has the stranger's flow"
