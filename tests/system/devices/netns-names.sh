#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: names of network namespaces: of ip netns, of a process, of the host, and hostile ones; in the path, in JSON, and in selections
# tags: main
# timeout: 240

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B; (10.5.0.1) vu --- vp (10.5.0.2) of a process without a name

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces

# A namespace without a name. Its first process has the name of a container, and others run there, too.
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

# Names of ip netns can contain blanks, a ">" and escapes of a terminal.
hostile=$'x > y@z\e[31m'
ip netns add "$hostile"
at_exit ip netns del "$hostile"
ip -n "$hostile" link set lo up

ping_all() {
	in_a ping -q -c 2 10.9.0.2 && ping -q -c 1 10.5.0.2 && ip netns exec "$hostile" ping -q -c 3 127.0.0.1
}
is "$(status_of trace-cmd record-skb -o "$OUT/trace.dat" icmp -- bash -c "hostile=\$1; $(declare -f in_a ping_all); ping_all" - "$hostile")" 0 "recorded"

# list OPTION…: write the list of packets to $OUT/list
list() {
	trace-cmd report-skb --list --wide -i "$OUT/trace.dat" "$@" >"$OUT/list" 2>"$OUT/stderr"
}
# packets PATTERN: print the number of packets in the list that match; lines of copies do not count
packets() {
	grep -E '^ *[0-9]+ ' "$OUT/list" | grep -cE "$1" || [ $? = 1 ]
}
list
cat "$OUT/list"
is "$(packets ' va@A > vb@B ')" 2 "requests from A to B, two of them as ping reports"
is "$(packets ' vb@B > va@A ')" 2 "answers"
is "$(packets ' vu@host > vp@web-7d9f ')" 1 "to the namespace of a process"
is "$(packets ' lo@x\\x20>\\x20y@z\\x1b\[31m ')" 6 "in a namespace with a hostile name"
is "$(grep -c $'\e' "$OUT/list")" 0 "lines with an escape for the terminal"

trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
# hop DEVICE NETNS NAME KIND [DETAIL]: print the JSON of a hop
hop() {
	echo "{\"device\":\"$1\",\"netns\":$2,\"netns_name\":\"$3\",\"netns_kind\":\"$4\"${5:+,\"netns_detail\":\"$5\"}}"
}
in_json() {
	grep '"type":"packet"' "$OUT/json" | grep -cF "\"path\":[$1]" || [ $? = 1 ]
}
inode() {
	stat -Lc %i "$1"
}
is "$(in_json "$(hop va "$(inode /run/netns/A)" A ip-netns),$(hop vb "$(inode /run/netns/B)" B ip-netns)")" 2 "JSON: names of ip netns"
is "$(in_json "$(hop vu "$(inode /proc/self/ns/net)" host host),$(hop vp "$(inode /proc/$process/ns/net)" web-7d9f process $process)")" 1 \
	"JSON: host and process"
is "$(in_json "$(hop lo "$(inode "/run/netns/$hostile")" 'x > y@z\u001b[31m' ip-netns)")" 6 "JSON: the hostile name"

list --netns A
is "$(packets .) $(packets '@A')" "4 4" "report-skb --netns A"
list --netns web-7d9f --netns "$hostile"
is "$(packets .) $(packets '@web-7d9f|y@z')" "8 8" "report-skb --netns twice"
list --netns "$(inode /run/netns/B)"
is "$(packets '@B')" 4 "report-skb --netns with an inode number"

# Recording accepts the same names.
is "$(status_of trace-cmd record-skb --netns web-7d9f -o "$OUT/trace.dat" -i any --proto icmp -- bash -c "hostile=\$1; $(declare -f in_a ping_all); ping_all" - "$hostile")" 0 "--netns with the name of a process"
list
is "$(packets ' icmp 10\.5\.0\.')" 2 "packets in this namespace"
is "$(packets '10\.9\.0\.2')" 0 "packets in others"
