#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: packets that arrive in pieces (tun's napi_gro_frags) are received as without a recording
# requires: nft
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/odd-skbs.sh"

tap=$(program tap)
modprobe tun

# pieces: 300 numbered packets arrive on tap0, each in two pieces; print how they arrived.
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
	is "$(delivered B 9001 send_pieces)" "received 300, late 0, twice 0" "$1: packets in pieces"
}
twice_arrive
exec 7>&-
