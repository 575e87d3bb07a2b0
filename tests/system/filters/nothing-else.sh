#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: each event belongs to a packet that matches the filter, even if recordings start and stop again and again under traffic
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
traffic=$(program traffic)
tasks=$(program tasks)
ioctl=$(program ioctl)
# Two ports have the same traffic, and there are also pings. The filter matches only one of the ports.
for port in 9000 7001; do
	echo_server B $port
	background in_b "$tasks" answers $port
	wait_for "a server on UDP port $port" udp_listening B $port
	background in_a "$traffic" chat 10.9.0.2 $port
	background in_a "$tasks" queries 10.9.0.2 $port
done
background in_a ping -q -i 0.05 10.9.0.2 >/dev/null

modprobe record_skb
at_exit modprobe -r record_skb
mkdir "$tracing/instances/nothing_else"
at_exit rmdir "$tracing/instances/nothing_else"
cd "$tracing/instances/nothing_else"
at_exit cd /
echo 20000 >buffer_size_kb
for event in packet drop copy end; do
	echo 1 >events/record_skb/$event/enable
done
"$ioctl" only 9000 40 >"$OUT/only" || fail "$(cat "$OUT/only")"
cat trace >"$OUT/trace"
cat per_cpu/cpu*/stats >"$OUT/stats"
cd /

is "$(grep -c '^overrun: 0$' "$OUT/stats")" "$(grep -c '^overrun' "$OUT/stats")" "no event was lost"
grep ' packet: ' "$OUT/trace" >"$OUT/packets"
[ "$(wc -l <"$OUT/packets")" -ge 1000 ] || fail "only $(wc -l <"$OUT/packets") events"
[ "$(grep -c ' udp ' "$OUT/packets")" -ge 100 ] || fail "few events of UDP"
[ "$(grep -c ' tcp ' "$OUT/packets")" -ge 100 ] || fail "few events of TCP"
is "$(grep -Ev -m 3 ' (tcp|udp) 10\.9\.0\.[12]:([0-9]+ > 10\.9\.0\.[12]:9000|9000 > 10\.9\.0\.[12]:[0-9]+) ' "$OUT/packets")" "" \
	"$(wc -l <"$OUT/packets") events, all of the filter's packets"
