#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report names namespaces that are created and removed during a recording, with and without a name of ip netns
# tags: long
# timeout: 200

# Network: namespaces with only a loopback device

. "$(dirname "$0")/../lib/lib.sh"
. "$here/netns-list.sh"

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
	for _ in 1 2 3 4 5; do
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
# both_named: true if the trace has the name of both processes. The recorder finds this name only while the
# process runs.
both_named() {
	[ "$(grep -oE 'netns=[0-9]+ [a-z-]+ bash ' "$tracing/trace" | sort -u | wc -l)" = 2 ]
}
background trace-cmd record-skb -o "$OUT/trace.dat" icmp -- bash -ec "$(declare -f in_two both); both $OUT/wait" >"$OUT/inodes"
recorder=$!
wait_for "both packets" both_recorded
wait_for "both names" both_named
printf '\n\n' >"$OUT/wait"
wait $recorder || fail "the recording failed"
list
cat "$OUT/list"
while read -r inode; do
	is "$(grep -c " lo@bash:$inode " "$OUT/list")" 2 "packets of the process in $inode"
done <"$OUT/inodes"
