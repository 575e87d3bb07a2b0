#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: an ARP reply is consumed although its sniffer exits, a call has its own return value, and the recorder does not read its file again
# requires: strace socat /sys/kernel/btf/vmlinux
# kernels: 6.1 6.12 6.12-rt 7.2 newest debug
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
two_namespaces

# This packet socket gets a copy of each packet, and no program reads it. When the socket is closed, the
# kernel drops the copies.
ip netns exec A socat -u INTERFACE:va /dev/null &
listener=$!
at_exit stop $listener
listens() {
	[ -n "$(in_a ss -0Hn)" ]
}
wait_for "a packet socket" listens
kill -STOP $listener
trace-cmd record-skb --detail path -o arp.dat arp 2>said &
recording=$!
wait_for "the recording" armed
in_a ip neighbour flush dev va
in_a ping -q -c 1 -W 2 10.9.0.2 >pinged
kill -KILL $listener
wait $listener || true
kill -INT $recording
wait $recording
nothing_lost said
trace-cmd report-skb --list arp.dat >arp 2>losses
has "$(cat arp)" '^ +[0-9]+ .* arp 10\.9\.0\.2 > 10\.9\.0\.1 .*consumed by arp_rcv' "the reply is consumed"
has_not "$(cat arp)" '^ +[0-9]+ .*dropped' "and no packet is dropped"
is "$(in_a ip neighbour show 10.9.0.2 dev va | grep -c lladdr)" 1 "the neighbour is known from the reply"

# The event with the return value of a call must have the call's number.
is "$(status_of in_a trace-cmd record-skb --detail path -o ping.dat -- ping -q -c 1 10.9.0.2)" 0 "a followed ping"
trace-cmd report ping.dat >report
has "$(cat report)" ' return: +call [1-9][0-9]* .* = [0-9-]+' "a call's return has the call's number"
has_not "$(cat report)" ' return: +(#|call )0 ' "returns with the number 0"

# record-skb must read only the beginning of its file, to check that the file is readable. strace shows how
# many bytes it reads. Do not let strace follow trace-cmd: it would stop trace-cmd thousands of times, which
# takes minutes on 6.1-rt.
echo_server B 9000
is "$(status_of in_a strace -y -s 0 -e trace=read,pread64,readv,mmap -o reads trace-cmd record-skb --detail net -b 16384 \
	-o stream.dat -p 9000 -- "$(program traffic)" stream 10.9.0.2 9000 300000)" 0 "a stream under strace"
read=$(awk '/stream\.dat>/ { n += /^mmap/ ? 1073741824 : $NF } END { print n + 0 }' reads)
size=$(stat -c %s stream.dat)
[ "$read" -gt 0 ] && [ "$read" -lt $((size / 4)) ] || fail "of $size bytes $read are read again"
ok "of $size bytes $read are read again"
