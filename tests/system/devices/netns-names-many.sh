#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report names 200 namespaces, and a namespace in a ring
# tags: long
# timeout: 300

# Network: n1 to n200, each with only its loopback device

. "$(dirname "$0")/../lib/lib.sh"
. "$here/netns-list.sh"

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
