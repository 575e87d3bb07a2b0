#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: one recording hides functions that another one records: the first recording after boot has no rows of the hidden functions
# kernels: 6.12 6.12-rt newest
# vm: --append record_skb.test=first
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
background in_b socat -u UDP-RECV:9000 /dev/null
wait_for "port 9000" udp_listening B 9000

cd /tmp
at_exit rm -f /tmp/udp.dat /tmp/arp.dat
declare -A pids
for name in udp arp; do
	filter=(-p 9000)
	[ $name = udp ] || filter=(arp)
	trace-cmd record-skb --shared --detail net -o $name.dat "${filter[@]}" 2>"$OUT/$name.said" &
	pids[$name]=$!
	at_exit stop $!
	wait_for "the recording of $name" grep -q 'recording until' "$OUT/$name.said"
done
# Each packet needs an ARP request first. The graph of the packet contains the request and the reply. The
# kernel sends the waiting packet inside the graph of the reply.
for ((n = 0; n < 5; n++)); do
	ip -n A neighbour flush dev va
	in_a bash -c 'echo >/dev/udp/10.9.0.2/9000'
done
kill -INT "${pids[@]}"
wait "${pids[@]}"

for name in udp arp; do
	nothing_lost "$OUT/$name.said"
	balanced /tmp/$name.dat
	trace-cmd report -i /tmp/$name.dat >"$OUT/$name"
done
owners /tmp/udp.dat
# graphed FUNCTION NAME: print how often FUNCTION is in the graphs of the recording NAME
graphed() {
	grep -c "funcgraph_entry: .* $1(" "$OUT/$2" || :
}
[ "$(graphed arp_solicit udp)" -ge 5 ] || fail "no request inside a packet's graph"
[ "$(graphed arp_process arp)" -ge 10 ] || fail "ARP's own recording has not its answers"
is "$(graphed arp_process udp)" 0 "ARP's functions in the other recording"
