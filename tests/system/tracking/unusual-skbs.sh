#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: an skb that is sent many times (pktgen), and packets that arrive in pieces (napi_gro_frags of tun), are received as without a recording
# requires: nft
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

modprobe pktgen 2>/dev/null || skip "no pktgen in this kernel"
at_exit modprobe -r pktgen
. "$here/odd-skbs.sh"

# generated: send 1,000 packets to vb with pktgen. pktgen uses each skb for ten packets, and keeps a
# reference to it.
generated() {
	in_b bash -e <<-END
		exec >/dev/null
		cd /proc/net/pktgen
		echo rem_device_all >kpktgend_0
		echo add_device vb >kpktgend_0
		for word in "xmit_mode netif_receive" "burst 10" "count 1000" "pkt_size 200" "dst 10.9.0.2" \
			"src_min 10.9.0.1" "dst_mac $(in_b cat /sys/class/net/vb/address)" \
			"udp_dst_min 9001" "udp_dst_max 9001"; do
			echo "\$word" >vb
		done
		echo start >pgctrl
		grep '^Result: OK' vb
		echo rem_device_all >kpktgend_0
	END
}

tap=$(program tap)
modprobe tun

# pieces: send 300 numbered packets through tap0, each in two pieces. Print how they arrived.
go=$(mktemp -u)
mkfifo "$go"
at_exit rm -f "$go"
ip netns exec B "$tap" tap0 10.6.0.1 10.6.0.2 9001 300 <"$go" &
maker=$!
at_exit stop $maker
exec 7>"$go"
tap_there() {
	in_b test -e /sys/class/net/tap0
}
wait_for "the device tap0" tap_there
ip -n B address add 10.6.0.2/24 dev tap0
ip -n B link set tap0 up
send_pieces() {
	echo >&7
}

arrive() {
	local was
	was=$(came)
	generated
	is $(($(came) - was)) 1000 "$1: pktgen's packets"
	is "$(delivered B 9001 send_pieces)" "received 300, late 0, twice 0" "$1: packets in pieces"
}
twice_arrive
exec 7>&-
