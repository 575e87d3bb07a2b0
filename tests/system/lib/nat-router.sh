# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# nat-router.sh - a router with DNAT and masquerade that counts the packets it forwards
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

three_namespaces
traffic=$(program traffic)
echo_server B 8080
count=20

# Two ports lead to the same server. The server cannot see which port a client has used.
ip netns exec R nft -f - <<END
table ip nat {
	chain to {
		type nat hook prerouting priority -100;
		ip daddr 10.9.0.254 meta l4proto { tcp, udp } th dport { 9000, 9001 } dnat to 10.8.0.2:8080
	}
	chain from {
		type nat hook postrouting priority 100;
		oifname rb masquerade
	}
}
table inet witness {
	counter there { }
	counter back { }
	chain way {
		type filter hook forward priority 0;
		oifname rb meta l4proto { tcp, udp } ct original proto-dst 9000 ct direction original counter name there
		meta l4proto { tcp, udp } ct original proto-dst 9000 ct direction reply counter name back
	}
}
END
forwarded() {
	packets_of R inet witness "$1"
}

# Let the router forget a closed connection soon, because A may use the port again.
ip netns exec R sysctl -q net.netfilter.nf_conntrack_tcp_timeout_time_wait=1
