#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --bytes is right for streams of 10 MB with NAT, a tunnel, loss, small reads, a closed window and 200 connections
# requires: jq nft
# tags: long
# timeout: 1200

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B, and a tunnel: A (10.8.0.1) xa === xb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/bytes.sh"

two_namespaces
stream large-writes 0 10.9.0.2 "10000000 500000 100 w" "30000 10 r" --detail path -p 9000
stream small-reads 0 10.9.0.2 "10000000 1000000 100 w" "20000 10 rc" --detail path -p 9000
stream small-writes 0 10.9.0.2 "3000000 3000 10 ws" "500000 3000 r" --detail path -p 9000
stream window 0 10.9.0.2 "5000000 500000 100 w" "5000 500 r" --detail path -p 9000
stream net calls 10.9.0.2 "2000000 50000 500 wsmv" "20000 300 rcm" -p 9000

in_a ethtool -K va tso off gso off >/dev/null
in_b ethtool -K vb gro on >/dev/null
stream gro 0 10.9.0.2 "10000000 100000 100 w" "30000 10 r" --detail path -p 9000
in_a ethtool -K va tso on gso on >/dev/null

in_a tc qdisc add dev va root netem delay 3ms 2ms loss 2% duplicate 2% reorder 10%
stream loss 0 10.9.0.2 "10000000 50000 10 ws" "50000 10 rc" --detail path -p 9000
in_a tc qdisc del dev va root

BUSY=1 stream connections 0 10.9.0.2 "50000 20000 1000 ws 200" "50000 1000 rc 200" --detail path -p 9000

in_b nft -f - <<END
table ip nat {
	chain in {
		type nat hook prerouting priority dstnat;
		ip daddr 10.9.0.3 dnat to 10.9.0.2
	}
}
END
in_b ip addr add 10.9.0.3/24 dev vb
stream nat 0 10.9.0.3 "10000000 100000 100 w" "30000 10 r" --detail path -p 9000

in_a ip link add xa type vxlan id 7 remote 10.9.0.2 dstport 4789 dev va
in_b ip link add xb type vxlan id 7 remote 10.9.0.1 dstport 4789 dev vb
in_a ip addr add 10.8.0.1/24 dev xa
in_b ip addr add 10.8.0.2/24 dev xb
in_a ip link set xa up
in_b ip link set xb up
stream tunnel 0 10.8.0.2 "10000000 100000 100 w" "30000 10 r" --detail path -p 9000

stream io_uring 0 10.9.0.2 "10000000 100000 100 u" "30000 10 u" --detail path -p 9000
