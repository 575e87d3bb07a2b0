#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a graph is complete although a module is loaded or unloaded while the functions of the graph are selected
# tags: long
# kernels: 6.1 6.12 newest

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

# ftrace gives each function a number. When a module is unloaded, the functions of modules that were loaded
# later get other numbers. So load dummy before veth and record_skb.
modprobe dummy numdummies=0
at_exit modprobe -r dummy
two_namespaces
# Resolve the address now, so that no ARP packets are sent later.
wait_for "the link" in_a ping -q -c 1 10.9.0.2
cd "$OUT"

ping=(ip netns exec A ping -q -c 1 10.9.0.2)

# record DETAIL COMMAND RECORDED…: record the command RECORDED. Run COMMAND at the worst moment: after
# record-skb has read the list of functions, and before it selects functions by their numbers in this list.
record() {
	echo "$2" >/tmp/command
	LD_PRELOAD=$(program during_start.so) DURING_START="touch /tmp/done; . /tmp/command" \
		trace-cmd record-skb -o trace.dat --detail "$1" --proto icmp -- "${@:3}" >said 2>&1 ||
		fail "$1: $(cat said)"
	[ -e /tmp/done ] || fail "$1: COMMAND was not run"
	rm /tmp/done
	trace-cmd report -i trace.dat >report 2>/dev/null
}

# lines FUNCTION: print how many calls of FUNCTION in the graph have a packet
lines() {
	grep -c " $1()[; ].*\* #[0-9]* icmp 10" report
}

is_whole() {
	is "$(lines veth_xmit) $(lines icmp_rcv)" "2 2" "$1"
}

record net true "${ping[@]}"
is_whole "net: request and reply are sent and received"
record net "rmmod dummy" "${ping[@]}"
is_whole "net: complete although a module was unloaded"
# On kernels other than 6.12, --detail full records all functions. Nothing is selected there, so end the
# test.
[ "$VM_KERNEL" = 6.12 ] || exit 0
modprobe dummy numdummies=0
record full "rmmod dummy" "${ping[@]}"
is_whole "full: complete although a module was unloaded"
record full "modprobe dummy numdummies=0" sh -c '
	rmmod dummy
	modprobe dummy numdummies=1
	ip address add 10.99.0.1/24 dev dummy0
	ip link set dummy0 up
	ip neighbour add 10.99.0.2 lladdr 02:00:00:00:00:02 dev dummy0
	ping -q -c 1 -W 1 10.99.0.2 || :'
is "$(lines dummy_xmit)" 1 "full: functions of a module that is loaded during the recording"
