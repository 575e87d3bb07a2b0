#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a graph that begins deep inside another recording's graph ends with its own gate, and has no later calls of the task
# kernels: 6.12 6.12-rt newest
# requires: nft
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000
in_b nft 'table inet witness { counter come { }; chain in { type filter hook input priority 0; iifname "vb" tcp dport 9000 counter name come; }; }'

cd /tmp
at_exit rm -f /tmp/outer.dat /tmp/inner.dat
ip netns exec A trace-cmd record-skb --shared --detail net -b 16384 -o outer.dat -p 9000 2>"$OUT/outer.said" &
outer=$!
at_exit stop $outer
ip netns exec B trace-cmd record-skb --shared -l 'ip_*' -l 'tcp_*' -b 16384 -o inner.dat -i vb --direction rx 'tcp dst port 9000' 2>"$OUT/inner.said" &
inner=$!
at_exit stop $inner
for name in outer inner; do
	wait_for "$name" grep -q 'recording until' "$OUT/$name.said"
done
# A task of A sends a packet. While the task is still in the graph of sending, a softirq interrupts it and
# receives the packet.
in_a "$traffic" talk 10.9.0.2 10 9000
over() { ! in_b ss -Htan state connected | grep -q ':9000 '; }
wait_for "the end of all connections" over
kill -INT $outer $inner
wait $outer $inner
is "$(sed -n 's/ packets matched.*//p' "$OUT/inner.said")" "$(packets_of B inet witness come)" "packets that B received"
# twice: if two recordings record a function, it has one line for each of them, one inside the other. Count
# the entries whose direct caller is an entry of the same function.
twice() {
	awk -f "$here/rows.awk" -f /dev/stdin "$OUT/raw" <<-'END'
		!row() || event !~ /^funcgraph_/ { next }
		event == "funcgraph_entry" && last[task] == field("func") " " (field("depth") - 1) { n++ }
		{ last[task] = event == "funcgraph_entry" ? field("func") " " field("depth") : "" }
		END { print n + 0 }
	END
}
for name in outer inner; do
	nothing_lost "$OUT/$name.said"
	balanced /tmp/$name.dat
	owners /tmp/$name.dat
	is "$(twice)" 0 "$name: functions that appear inside themselves"
done
deep=$(awk -f "$here/rows.awk" -f <(echo 'row() && event == "funcgraph_entry" && field("func") == "record_skb_gate" && field("depth") > 3 { n++ } END { print n + 0 }') "$OUT/raw")
[ "$deep" -ge 5 ] || fail "only $deep graphs began deep in the other's"
ok "$deep graphs began deep in the other's"
