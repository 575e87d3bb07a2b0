#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: each packet is recorded and has a verdict, whether GRO, a NAPI thread or another CPU receives it
# requires: nft ethtool socat
# tags: slow
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/fates.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000
background in_b socat -u TCP-LISTEN:9002,fork,reuseaddr OPEN:/dev/null
wait_for "a server" listening B 9002
# Count packets at the sender, because GRO may merge segments into packets of another size than the sender
# had.
count_in_both output 'tcp dport { 9000, 9002 }' 'tcp sport { 9000, 9002 }'
# set_both FILE VALUE: set the attribute FILE of va and of vb
set_both() {
	in_a sh -c "echo $2 >/sys/class/net/va/$1"
	in_b sh -c "echo $2 >/sys/class/net/vb/$1"
}
over() {
	! in_b ss -Htan state connected | grep -q ':900[02] '
}

# With --detail full, the debug kernel records 13,000 entries for each packet.
bytes=300000 buffer=()
[ "$VM_KERNEL" != debug ] || bytes=30000 buffer=(-b 65536)

# recorded WHO DETAIL: record the traffic, and check that nftables counted the same number of packets
recorded() {
	local was
	was=$(counted_in_both)
	start_recording --detail "$2" "${buffer[@]}" 'port 9000 or port 9002'
	in_a "$traffic" talk 10.9.0.2 3 9000
	head -c $bytes /dev/zero | in_a socat -u - TCP:10.9.0.2:9002
	wait_for "the end of all connections" over
	stop_recording
	balanced "$OUT/trace.dat"
	is "$(sed -n 's/ packets matched.*//p' "$OUT/said")" $(($(counted_in_both) - was)) "$1 ($2): packets, as nftables counts them"
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
	cat "$OUT/packets"
	# A packet may have the verdict "unknown" if it was last seen in GRO. The return value of GRO for a
	# segment is not recorded if the task is inside the graph of another, unrelated packet. GRO may then
	# have kept the segment, as it does with the 17th segment of a packet.
	has_not "$(cat "$OUT/packets")" "^ *[0-9]+ .*  unknown|unknown, last seen in [^n]" "$1 ($2): packets without a verdict"
}

# steered: print how many packets one CPU handed to another
steered() {
	hex_column 10 /proc/net/softnet_stat
}

# veth uses NAPI only when GRO is on. With TSO off, the sender's segments reach GRO one by one.
in_a ethtool -K va gro on tso off >/dev/null
in_b ethtool -K vb gro on tso off >/dev/null
recorded "GRO" net

set_both threaded 1
recorded "NAPI threads" full
has "$(trace-cmd report -i "$OUT/trace.dat")" "^ *napi/vb-.* packet: .* tcp_v4_rcv " "a NAPI thread receives the packets"

set_both threaded 0
set_both queues/rx-0/rps_cpus 3
was=$(steered)
recorded "another CPU" path
# With PREEMPT_RT, Linux 6.12 hands the packets to a thread of the other CPU and does not count them in
# softnet_stat.
if pgrep backlog_napi >/dev/null; then
	has "$(trace-cmd report -i "$OUT/trace.dat")" "^ *backlog_napi/.* packet: .* tcp_v4_rcv " "the thread of the other CPU receives"
else
	[ "$(steered)" -gt "$was" ] || fail "no packet goes to another CPU"
fi
