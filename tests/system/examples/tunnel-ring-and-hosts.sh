#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the examples for a WireGuard tunnel, for a ring that ends at a drop, and for two hosts show what they promise
# requires: nft wg
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/overlays.sh"

examples=$top/examples
cd "$OUT"
two_namespaces
in_b nft -f - <<END
table inet no {
	counter dropped { }
	chain in {
		type filter hook input priority 0;
		udp dport 9001 counter name dropped drop
	}
}
END

# WireGuard.
wireguard
in_a "$examples/wireguard.sh" ping -q -c 1 10.7.0.2 >tunnel 2>said
has "$(cat tunnel)" '^ +1 .* icmp 10\.7\.0\.1 > 10\.7\.0\.2 echo request.* wg0@.* > va > vb@.* > wg0 ' "wireguard.sh: in, out and in again"
has "$(cat tunnel)" '^  wg_xmit tx icmp 10\.7\.0\.1:0 > 10\.7\.0\.2:0 .* dev=wg0$' "inside"
has "$(cat tunnel)" '^  veth_xmit tx udp 10\.9\.0\.1:51820 > 10\.9\.0\.2:51820 .* dev=va$' "outside"
has "$(cat tunnel)" '^  icmp_rcv rx icmp 10\.7\.0\.1:0 > 10\.7\.0\.2:0 .* dev=wg0$' "and inside again"

# begun OUTPUT: true if the file OUTPUT has the message that the recording has begun
begun() {
	grep -q 'recording until' "$1"
}

# leave-it-running.sh records a ring until a packet is dropped.
in_b "$examples/leave-it-running.sh" 9001 lost.dat >ring 2>said &
story=$!
wait_for "the recording" begun said
in_a bash -c 'echo x >/dev/udp/10.9.0.2/9001'
wait $story
is "$(packets_of B inet no dropped)" 1 "nft's rule dropped one"
has "$(cat ring said)" '^the ring ended by #1, which was dropped' "leave-it-running.sh: the packet that ended the ring"
has "$(cat ring)" '^ +1 .* udp .*:9001 .*dropped .*NETFILTER_DROP' "the drop is shown"
has "$(cat ring)" 'chain in' "with its rule"

# Both hosts are in this machine, which can run only one recording at a time. So they take turns.
in_a "$examples/two-hosts.sh" record client.dat -- ping -q -c 2 -i 0.2 10.9.0.2 >said 2>&1
in_b "$examples/two-hosts.sh" record server.dat -- ping -q -c 1 10.9.0.1 >said 2>&1
"$examples/two-hosts.sh" show client.dat server.dat >two
is "$(grep -c "icmp 10\\.9\\.0\\.1 > 10\\.9\\.0\\.2 echo request" two)" 2 "two-hosts.sh: the pings of the client"
is "$(grep -c "icmp 10\\.9\\.0\\.2 > 10\\.9\\.0\\.1 echo request" two)" 1 "two-hosts.sh: the ping of the server"
