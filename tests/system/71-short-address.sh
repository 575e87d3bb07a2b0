#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: of a call with an address that is cut short, none is recorded: not what was on the stack behind it

. "$(dirname "$0")/lib.sh"

two_namespaces
is "$(status_of in_a trace-cmd record-skb --detail path -o "$OUT/trace.dat" -- "$(program short-address)")" 0 "recorded"
is "$(tr '\n' ' ' <"$OUT/stdout")" "refused refused " "the kernel refuses both"
trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"

# peers FUNCTION: of its calls, in order
peers() {
	grep -E " call: +(#[0-9]+ )?$1 " "$OUT/report" | sed -E 's/.* > ([^ ]*).*/\1/'
}
is "$(peers inet_dgram_connect | tr '\n' ' ')" "10.9.0.2:7777 0.0.0.0:0 " "connect(): the peer, and none"
is "$(peers udp_sendmsg | tr '\n' ' ')" "10.9.0.3:7777 0.0.0.0:0 " "sendto(): the peer, and none"
