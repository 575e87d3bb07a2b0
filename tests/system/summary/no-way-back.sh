#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if a host has no route back to the source, the finding says so, with and without rp_filter, and the suggested command shows it
# requires: jq nstat
# timeout: 200

# Network: A (10.9.0.1, 10.66.0.1) va --- vb (10.9.0.2) B, which has no route to 10.66.0.1

. "$(dirname "$0")/../lib/lib.sh"
. "$here/finding.sh"

two_namespaces
neighbours_known
ip -n A address add 10.66.0.1/32 dev lo
background in_b "$(program traffic)" refuse 9000
background ip netns exec B socat TCP-LISTEN:9001,fork,reuseaddr PIPE
wait_for "a receiver" udp_listening B 9000
wait_for "a server" listening B 9001

# counter NAME: print a counter of B
counter() { in_b nstat -asz "$1" | awk -v name="$1" '$1 == name { print $2 }'; }
# record FILE PROTOCOL: let A send to B from 10.66.0.1
record() {
	trace-cmd record-skb -o "$OUT/$1" "$2 and host 10.66.0.1" -- ip netns exec A sh -c "
		echo x | timeout 1.5 socat -u - $2:10.9.0.2:$([ "$2" = udp ] && echo 9000 || echo 9001),bind=10.66.0.1 2>/dev/null || :" \
		2>"$OUT/said" || fail "the recording: $(cat "$OUT/said")"
	nothing_lost "$OUT/said"
}

# The server's kernel cannot answer the SYN.
in_b sysctl -q net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.vb.rp_filter=0
before=$(counter TcpExtListenDrops)
record tcp.dat tcp
syns=$(($(counter TcpExtListenDrops) - before))
[ "$syns" -ge 1 ] || fail "the listener has dropped no SYN"
finding_of "$OUT/tcp.dat"
has "$finding" "^$syns of $syns packets? \(#1, tcp 10\.9\.0\.2:9001\) (was|were) possibly dropped: .* without a route back to the source" "TCP: the finding"
has "$shown" 'Network is unreachable' "TCP: the suggested command shows that no route exists"

# With rp_filter, the packet is dropped before. The value 2 asks only for a route, which need not lead to the device.
for value in 1 2; do
	in_b sysctl -q net.ipv4.conf.vb.rp_filter=$value
	before=$(counter TcpExtIPReversePathFilter)
	record udp$value.dat udp
	# New versions of socat send an empty datagram at the end.
	drops=$(($(counter TcpExtIPReversePathFilter) - before))
	[ "$drops" -ge 1 ] || fail "rp_filter=$value: the kernel has dropped no packet"
	finding_of "$OUT/udp$value.dat"
	has "$finding" "^$drops of $drops packets? \\(#1, udp 10\\.9\\.0\\.2:9000\\) (was|were) dropped, IP_RPFILTER: .*or there is no such route" "rp_filter=$value: the finding"
	has "$shown" 'Network is unreachable' "rp_filter=$value: the suggested command shows that no route exists"
	has "$shown" "conf\.vb\.rp_filter = $value" "and the setting"
done
