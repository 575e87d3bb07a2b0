#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: each point that a packet passes has its line in the graph, whoever it is that gives function_graph its calls
# requires: ping /sys/kernel/btf/vmlinux

. "$(dirname "$0")/lib.sh"

two_namespaces

# lines NAME OPTION…: the functions of a ping's graph and how often each is there, in $OUT/NAME; each point's has as many
# lines as the packets, and their copies, have events there.
lines() {
	local name=$1
	shift
	trace-cmd record-skb -o "$OUT/$name.dat" "$@" -- ip netns exec A ping -c 2 -i 0.2 10.9.0.2 >"$OUT/said" 2>&1 ||
		fail "$(cat "$OUT/said")"
	trace-cmd report -N -i "$OUT/$name.dat" >"$OUT/report"
	awk '
		/ packet: +#/ && !/ hidden$/ { for (i = 1; $i != "packet:"; i++); passed[$(i + 2)]++; all++ }
		/ funcgraph_entry: +--> / { seen[$(NF - 1)]++ }
		END {
			for (f in passed)
				if (seen[f] < passed[f])
					print f ": " passed[f] " packets, " seen[f] + 0 " lines" > "/dev/stderr"
			for (f in seen)
				print f, seen[f]
			exit !all
		}' "$OUT/report" 2>"$OUT/missing" | sort >"$OUT/$name" || fail "no packet has passed: $(head -n 20 "$OUT/report")"
	is "$(cat "$OUT/missing")" "" "points without a line, with $*"
}

# Nobody is asked for an address any more.
in_a ping -c 1 -W 1 10.9.0.2 >/dev/null
in_b ping -c 1 -W 1 10.9.0.1 >/dev/null
lines path --detail path
lines net --detail net
# With the user's own -n function_graph sees the points itself.
lines seen --detail net -n kernel_restart
is "$(grep -E '^(ip_rcv|icmp_rcv|veth_xmit|skb_release_head_state|__ip_local_out) ' "$OUT/net")" \
	"$(grep -E '^(ip_rcv|icmp_rcv|veth_xmit|skb_release_head_state|__ip_local_out) ' "$OUT/seen")" \
	"lines of functions that the module stands at, given and seen"
