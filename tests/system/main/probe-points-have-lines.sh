#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: each probe point that a packet passes has a line in the graph, with the module's ftrace trampoline and with the kernel's own
# requires: ping /sys/kernel/btf/vmlinux

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces

# lines NAME OPTION…: record a ping. Write the functions of its graph, and how often each occurs, to
# $OUT/NAME. A probe point must have at least one line for each of its events of packets and copies.
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
		}' "$OUT/report" 2>"$OUT/missing" | sort >"$OUT/$name" || fail "no packet was recorded: $(head -n 20 "$OUT/report")"
	is "$(cat "$OUT/missing")" "" "probe points without a line, with $*"
}

# Resolve the addresses now, so that no ARP packets are sent later.
in_a ping -c 1 -W 1 10.9.0.2 >/dev/null
in_b ping -c 1 -W 1 10.9.0.1 >/dev/null
lines path --detail path
lines net --detail net
# With -n, function_graph itself is attached to the probe points. It does not use the module's trampoline.
lines seen --detail net -n kernel_restart
is "$(grep -E '^(ip_rcv|icmp_rcv|veth_xmit|skb_release_head_state|__ip_local_out) ' "$OUT/net")" \
	"$(grep -E '^(ip_rcv|icmp_rcv|veth_xmit|skb_release_head_state|__ip_local_out) ' "$OUT/seen")" \
	"lines of probed functions are the same with both trampolines"
