#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: an ARP reply whose listener exits is consumed, a call's return is the call's, and nobody reads the file again
# requires: strace socat
# timeout: 240

. "$(dirname "$0")/lib.sh"

cd "$OUT"
two_namespaces

# A listener has a copy of each ARP packet, and never reads: the copies are thrown away when it ends.
ip netns exec A socat -u INTERFACE:va,type=3,prototype=0x0806 /dev/null &
listener=$!
at_exit stop $listener
listens() {
	in_a ss -0Hn | grep -q 'arp:va'
}
wait_for "a listener for ARP" listens
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
trace-cmd report-skb arp.dat >arp 2>losses
has "$(cat arp)" '^ +[0-9]+ .* arp 10\.9\.0\.2 > 10\.9\.0\.1 .*consumed by arp_rcv' "the reply is consumed"
has_not "$(cat arp)" '^ +[0-9]+ .*dropped' "and no packet is dropped"
is "$(in_a ip neighbour show 10.9.0.2 dev va | grep -c lladdr)" 1 "the neighbour is known by it"

# What a call returned.
is "$(status_of in_a strace -o opened -e trace=open,openat trace-cmd record-skb --detail path --retval -o ping.dat -- \
	ping -q -c 1 10.9.0.2)" 0 "a followed ping under strace"
trace-cmd report ping.dat >report
has "$(cat report)" ' return: +call [1-9][0-9]* .* = [0-9-]+' "a call's return has the call's number"
has_not "$(cat report)" ' return: +(#|call )0 ' "none has the number 0"

# strace follows record-skb, not the trace-cmd that it runs.
has "$(cat opened)" 'set_ftrace_filter' "strace saw what is opened"
has_not "$(cat opened)" 'ping\.dat".*O_RDONLY' "the file is not read again for the summary"
