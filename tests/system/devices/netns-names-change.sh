#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report names 200 namespaces, and namespaces that are created and removed during a recording or a ring
# tags: long
# timeout: 400

. "$(dirname "$0")/../lib/lib.sh"

# list OPTION…: write report-skb's list of packets to $OUT/list, without the rows of copies
list() {
	trace-cmd report-skb --list --wide -i "$OUT/trace.dat" "$@" | grep -E '^ *[0-9]+ ' >"$OUT/list"
}

# Each namespace is removed before the next one is created, so the kernel gives all of them the same inode
# number.
in_turns() {
	local name
	for name in first second third; do
		ip netns add $name
		stat -Lc "$name %i" /run/netns/$name
		ip -n $name link set lo up
		ip netns exec $name ping -q -c 1 127.0.0.1 >/dev/null
		ip netns del $name
	done
}
trace-cmd record-skb -o "$OUT/trace.dat" icmp -- bash -ec "$(declare -f in_turns); in_turns" >"$OUT/inodes"
list
cat "$OUT/inodes" "$OUT/list"
for name in first second third; do
	is "$(grep -c " lo@$name " "$OUT/list")" 2 "a request and an answer in $name"
done

# Each namespace has only one process, which ends at once. Therefore the module has to store the process's
# name.
at_once() {
	local n
	for n in 1 2 3 4 5; do
		unshare -n -- sh -ec 'ip link set lo up; exec ping -q -c 1 127.0.0.1' >/dev/null
	done
}
trace-cmd record-skb --detail path -o "$OUT/trace.dat" icmp -- bash -ec "$(declare -f at_once); at_once"
list
cat "$OUT/list"
is "$(grep -cE ' lo@ping[: ]' "$OUT/list")" 10 "packets in the namespaces of processes that end at once"

# Two processes have the same name, and their namespaces have no name of "ip netns". Both namespaces get the
# name of the process. Only the inode number tells them apart.
in_two() {
	unshare -n -- bash -ec 'ip link set lo up; ping -q -c 1 127.0.0.1 >/dev/null; stat -Lc %i /proc/self/ns/net; read -r' <"$1"
}
mkfifo "$OUT/wait"
exec {waiting}<>"$OUT/wait"
at_exit exec {waiting}>&-
both() {
	in_two "$1" & in_two "$1" &
	wait
}
both_recorded() {
	[ "$(wc -l <"$OUT/inodes")" = 2 ]
}
background trace-cmd record-skb -o "$OUT/trace.dat" icmp -- bash -ec "$(declare -f in_two both); both $OUT/wait" >"$OUT/inodes"
recorder=$!
wait_for "both packets" both_recorded
printf '\n\n' >"$OUT/wait"
wait $recorder || fail "the recording failed"
list
cat "$OUT/list"
while read -r inode; do
	is "$(grep -c " lo@bash:$inode " "$OUT/list")" 2 "packets of the process in $inode"
done <"$OUT/inodes"

ip -batch - < <(printf 'netns add n%d\n' {1..200})
at_exit eval 'ip -batch - < <(printf "netns del n%d\n" {1..200})'
in_all() {
	local n
	for n in {1..200}; do
		ip -n "n$n" link set lo up
		ip netns exec "n$n" ping -q -c 1 127.0.0.1 >/dev/null
	done
}
trace-cmd record-skb --detail path -o "$OUT/trace.dat" icmp -- bash -ec "$(declare -f in_all); in_all"
list
is "$(grep -oE ' lo@n[0-9]+ ' "$OUT/list" | sort | uniq -c | awk '$1 == 2' | wc -l)" 200 "namespaces, each with two packets"
list --netns n117
is "$(grep -c ' lo@n117 ' "$OUT/list")" 2 "packets of one of them"

# In a ring, the module writes the names of namespaces only at the end.
trace-cmd record-skb --ring 1M --until count=3 -o "$OUT/trace.dat" icmp -- ip netns exec n1 ping -q -c 3 127.0.0.1 >/dev/null
has "$(trace-cmd report-skb --json -i "$OUT/trace.dat")" '"netns_name":"n1","netns_kind":"ip-netns"' "a name in a ring"
