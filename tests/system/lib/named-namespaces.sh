# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# named-namespaces.sh - namespaces of ip netns, of a process and with a hostile name, and recordings of pings
# in them
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B
#          host (10.5.0.1) vu --- vp (10.5.0.2), a namespace of a process, without a name of ip netns

two_namespaces

# This namespace has no name of ip netns. Its first process is named like a container. Other processes run
# there later.
background unshare -n -- perl -e '$0 = "web-7d9f"; open(my $f, ">", "/proc/self/comm"); print $f "web-7d9f"; close $f; sleep 1000'
process=$!
has_name() {
	[ "$(cat /proc/$process/comm)" = web-7d9f ]
}
wait_for "the process" has_name
background nsenter -t $process -n sleep 1000
ip link add vu type veth peer name vp netns $process
at_exit ip link del vu
ip address add 10.5.0.1/24 dev vu
ip link set vu up
nsenter -t $process -n ip address add 10.5.0.2/24 dev vp
nsenter -t $process -n ip link set vp up

# Names of ip netns may contain blanks, ">" and escape sequences of a terminal.
hostile=$'x > y@z\e[31m'
ip netns add "$hostile"
at_exit ip netns del "$hostile"
ip -n "$hostile" link set lo up

ping_all() {
	in_a ping -q -c 2 10.9.0.2 && ping -q -c 1 10.5.0.2 && ip netns exec "$hostile" ping -q -c 3 127.0.0.1
}

# record_pings OPTION…: record the pings, and print the recorder's exit status
record_pings() {
	status_of trace-cmd record-skb -o "$OUT/trace.dat" "$@" -- bash -c "hostile=\$1; $(declare -f in_a ping_all); ping_all" - "$hostile"
}

# list OPTION…: write the list of packets to $OUT/list
list() {
	trace-cmd report-skb --list --wide -i "$OUT/trace.dat" "$@" >"$OUT/list" 2>"$OUT/stderr"
}
# packets PATTERN: count the rows of the list that match PATTERN, without the rows of copies
packets() {
	grep -E '^ *[0-9]+ ' "$OUT/list" | grep -cE "$1" || [ $? = 1 ]
}
