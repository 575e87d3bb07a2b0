#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report shows which socket filter, reuseport program or sk_lookup program dropped a packet
# requires: tc jq
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/hook-programs.sh"

# check HOOK WHERE TEXT [MORE]: attach a program to HOOK at WHERE, as begin_programs does. The program drops
# the datagrams to port 9001. Check that the report contains "dropped by TEXT", the name and id of the
# program, and MORE.
check() {
	begin_programs B "$1" "$2" fw_main 0 9001
	sixteen
	is "$(grep -c "dropped by $3 fw_main (id $id)${4:-}\$" "$OUT/packets")" 8 "$1: dropped packets"
	is "$(grep -c 'delivered to a socket' "$OUT/packets")" 8 "$1: packets that arrived"
	is "$(grep -c "see: bpftool prog show id $id\$" "$OUT/why")" 1 "$1: the command that shows the program"
	end_programs
}
# check_refusal HOOK WHERE TEXT: same as check(), but here the sender gets an ICMP error for each datagram
check_refusal() {
	begin_programs B "$1" "$2" fw_main 0 9001
	start_recording --detail net "udp port 9001"
	read_runs
	before=$runs
	for _ in 1 2 3; do
		in_a bash -c "echo >/dev/udp/10.9.0.2/9001"
	done
	read_runs
	[ $((runs - before)) -ge 3 ] || fail "$1: the program has run $((runs - before)) times"
	stop_recording
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
	cat "$OUT/packets"
	is "$(grep -c "dropped by $3 fw_main (id $id)\$" "$OUT/packets")" 3 "$1: dropped packets"
	end_programs
}
ran() { :; }
check socket-filter 9001 "socket filter"
check_refusal reuseport 9001 "reuseport program"
check_refusal sk_lookup /run/netns/B "sk_lookup program"
# In Linux 6, a recording cannot tell a socket filter from a security module, so the report names both.
case $(uname -r) in
6.*) or=" or a security module" ;;
*) or= ;;
esac
NO_BTF=y check socket-filter 9001 "socket filter" "$or"

# A socket filter in classic BPF has no name.
background in_b "$traffic" refuse 9001
wait_for "the socket with a filter" udp_listening B 9001
start_recording --detail net 'udp port 9001'
in_a "$traffic" number 10.9.0.2 9001 3
stop_recording
is "$(trace-cmd report-skb --list -i "$OUT/trace.dat" | tee "$OUT/packets" | grep -c "dropped by classic socket filter$or\$")" 8 "the classic filter"
has "$(trace-cmd report-skb --why -i "$OUT/trace.dat")" "see: ss -uanmp 'sport = :9001'" "the command that shows the socket"
