#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if the address of a call is too short, no peer is recorded, and no bytes from the stack behind the address
# tags: long

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
is "$(status_of in_a trace-cmd record-skb --detail path -o "$OUT/trace.dat" -- "$(program short-address)")" 0 "recorded"
is "$(tr '\n' ' ' <"$OUT/stdout")" "refused refused " "the kernel refuses both"
trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"

# peers FUNCTION: print the peers of the recorded calls of FUNCTION, in order
peers() {
	grep -E " call: +(#[0-9]+ )?$1 " "$OUT/report" | sed -E 's/.* > ([^ ]*).*/\1/'
}
is "$(peers inet_dgram_connect | tr '\n' ' ')" "10.9.0.2:7777 0.0.0.0:0 " "connect(): the peer, and no peer"
is "$(peers udp_sendmsg | tr '\n' ' ')" "10.9.0.3:7777 0.0.0.0:0 " "sendto(): the peer, and no peer"
