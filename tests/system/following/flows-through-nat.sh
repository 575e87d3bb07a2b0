#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a connection through NAT is one flow, and its answers are recorded from the router's receiving device on
# requires: nft tcpdump
# timeout: 240

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"

three_namespaces
tasks=$(program tasks)
echo_server B 80
ip netns exec R nft -f - <<END
table ip nat {
	chain to {
		type nat hook prerouting priority -100;
		ip daddr 10.9.0.254 tcp dport 8080 dnat to 10.8.0.2:80
	}
	chain from {
		type nat hook postrouting priority 100;
		oifname rb masquerade
	}
}
END

# flows: print the flows of the recorded packets
flows() {
	awk -f "$here/rows.awk" -f /dev/stdin "$OUT/raw" <<-'END' | sort -n | uniq -c | tr -s ' '
		row() && event == "packet" && field("proto") == 6 { print field("flow") }
	END
}

# exchange NAME ARGS… -- COMMAND…: record COMMAND in NAME.dat, while tcpdump captures on both sides of the
# router
exchange() {
	local name=$1
	shift
	tap R ra tcp
	tap R rb tcp
	in_a trace-cmd record-skb "${few[@]}" -o "$OUT/$name.dat" "$@" 2>"$OUT/said" || fail "$name: $(cat "$OUT/said")"
	taps_end
	nothing_lost "$OUT/said"
	read_trace "$OUT/$name.dat"
	is "$(flows | wc -l)" 1 "$name: one flow"
	has_not "$(flows)" ' 0$' "$name: which is known"
	as_tapped ip_rcv R ra 'src 10.9.0.1'
	as_tapped ip_rcv R rb 'src 10.8.0.2'
}

# The router translates the source address to its own. So the answers arrive at the router with its own
# address as the destination.
exchange followed -- "$tasks" fetch 10.8.0.2 80
has "$(cat "$OUT/report")" ' ip_rcv .* 10\.8\.0\.2:80 > 10\.8\.0\.254:' "followed: the answers' first leg"
exchange translated -p 8080,80 -- bash -c '"$0" fetch 10.9.0.254 8080; over 80' "$tasks"
has "$(cat "$OUT/report")" ' ip_rcv .* > 10\.9\.0\.254:8080 ' "translated: to the router"
has "$(cat "$OUT/report")" ' ip_rcv .* > 10\.8\.0\.2:80 ' "translated: and to the server"
