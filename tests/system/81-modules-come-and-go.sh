#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a module that comes or goes while the functions of a graph are chosen leaves the graph as it is
# kernels: 6.1 6.12 newest

. "$(dirname "$0")/lib.sh"

# Functions have numbers for ftrace, which those of later modules change when one goes: veth's and record_skb's.
modprobe dummy numdummies=0
at_exit modprobe -r dummy
two_namespaces
# So that nobody asks for addresses later.
wait_for "the link" in_a ping -q -c 1 10.9.0.2
cd "$OUT"

ping=(ip netns exec A ping -q -c 1 10.9.0.2)

# record DETAIL COMMAND RECORDED…: the graph of what is recorded, when COMMAND is run where it does most harm
record() {
	echo "$2" >/tmp/meanwhile
	LD_PRELOAD=$(program meanwhile.so) MEANWHILE="touch /tmp/done; . /tmp/meanwhile" \
		trace-cmd record-skb -o trace.dat --detail "$1" --proto icmp -- "${@:3}" >said 2>&1 ||
		fail "$1: $(cat said)"
	[ -e /tmp/done ] || fail "$1: nothing happened meanwhile"
	rm /tmp/done
	trace-cmd report -i trace.dat >report 2>/dev/null
}

# lines FUNCTION: how often a packet's call of it is in the graph
lines() {
	grep -c " $1()[; ].*\* #[0-9]* icmp 10" report
}

is_whole() {
	is "$(lines veth_xmit) $(lines icmp_rcv)" "2 2" "$1"
}

record net true "${ping[@]}"
is_whole "net: request and reply are sent and received"
record net "rmmod dummy" "${ping[@]}"
is_whole "net: and when a module goes"
# With all functions there is nothing to choose elsewhere.
[ "$VM_KERNEL" = 6.12 ] || exit 0
modprobe dummy numdummies=0
record full "rmmod dummy" "${ping[@]}"
is_whole "full: and when a module goes"
record full "modprobe dummy numdummies=0" sh -c '
	rmmod dummy
	modprobe dummy numdummies=1
	ip address add 10.99.0.1/24 dev dummy0
	ip link set dummy0 up
	ip neighbour add 10.99.0.2 lladdr 02:00:00:00:00:02 dev dummy0
	ping -q -c 1 -W 1 10.99.0.2 || :'
is "$(lines dummy_xmit)" 1 "full: functions of a module that comes while it is recorded"
