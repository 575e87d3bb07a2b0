#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report says whether the IP rules of iptables and nftables see bridged packets
# requires: nft jq
# tags: slow
# timeout: 240

# Network: A (10.9.0.1) va --- ra R rb --- vb (10.9.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/switch.sh"

modprobe br_netfilter
ip -n R link add br0 type bridge
ip -n R link set br0 up
ip -n R link set ra master br0
ip -n R link set rb master br0
ip netns exec R nft -f - <<-END
	table ip witness {
		counter bridged { }
		chain f {
			type filter hook forward priority 0;
			udp dport 9000 counter name bridged
		}
	}
END
for calls in 1 0; do
	ip netns exec R sysctl -q net.bridge.bridge-nf-call-iptables=$calls
	for detail in path net; do
		before=$(packets_of R ip witness bridged)
		record $detail
		is "$(of '.kind == "br_netfilter"')" "$(($(packets_of R ip witness bridged) - before))" \
			"$detail: bridged packets that netfilter has seen, with bridge-nf-call-iptables=$calls"
	done
done
is "$(jq -r 'select(.type == "packet" and .number == 1) | .path[] | select(.device == "br0") | .kind' "$OUT/json")" "" "a bridge is not a hop"
