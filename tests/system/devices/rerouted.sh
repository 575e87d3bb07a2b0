#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if netfilter reroutes a packet, its path does not show the device of the first route, which the packet never crossed
# tags: long
# requires: nft tcpdump

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 8080
ip -n A link add away type dummy
in_a sysctl -q net.ipv6.conf.away.disable_ipv6=1
ip -n A -batch - <<-END
	address add 10.66.0.1/24 dev away
	link set away up
END
in_a nft -f - <<END
table ip nat {
	chain out {
		type nat hook output priority -100;
		ip daddr 10.66.0.2 meta l4proto { tcp, udp } th dport 9000 dnat to 10.9.0.2:8080
	}
	chain from {
		type nat hook postrouting priority 100;
		oifname va masquerade
	}
}
table inet drops {
	chain out {
		type filter hook output priority 0;
		udp dport 9001 drop
	}
}
END

sent() {
	in_a cat "/sys/class/net/$1/statistics/tx_packets"
}
before=$(sent away)

is "$(delivered B 8080 in_a trace-cmd record-skb -o "$OUT/trace.dat" -p 9000-9001 -- bash -c '
	"$0" number 10.66.0.2 9000 10 && "$0" talk 10.66.0.2 1 9000 && ! "$0" number 10.66.0.2 9001 1 && over 8080' "$traffic")" "received 10, late 0, twice 0" "recorded"
is "$(sent away)" "$before" "packets that the first route's device has sent"
trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
cat "$OUT/packets"
# The sender sends ten datagrams, and then five datagrams that signal the end.
is "$(grep -cE " udp 10\.66\.0\.1:[0-9]+ > 10\.66\.0\.2:9000 .* va@A > vb@B +.* delivered to a socket" "$OUT/packets")" 15 \
	"datagrams whose path has the device that sent them"
is "$(grep -E " tcp 10\.66\.0\.1:[0-9]+ > 10\.66\.0\.2:9000 " "$OUT/packets" | grep -cvE " va@A > vb@B ")" 0 \
	"segments by another"
# A packet that is dropped before it is rerouted is shown with the device of its first route.
has "$(cat "$OUT/packets")" "udp 10\.66\.0\.1:[0-9]+ > 10\.66\.0\.2:9001 .* away@A .*dropped" "the device of a dropped packet's route"
