#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: packets that match by the headers of a tunnel have the verdict of the packet inside the tunnel
# tags: long
# requires: tcpdump

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
#          A (10.42.0.1) xa --- xb (10.42.0.2) B, a VXLAN tunnel

. "$(dirname "$0")/../lib/lib.sh"
. "$here/overlays.sh"
. "$here/tap.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000
vxlan_on_link 42

tap A xa tcp
tap B xb tcp
in_a trace-cmd record-skb -o "$OUT/trace.dat" -p 4789 -- bash -c '"$0" talk 10.42.0.2 5 9000; over 9000' "$traffic" \
	2>"$OUT/said" || fail "$(cat "$OUT/said")"
taps_end
nothing_lost "$OUT/said"
trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
cat "$OUT/packets"

# counted EXPRESSION: print how many packets that match EXPRESSION left the tunnel, in A and in B together
counted() {
	echo $(($(tapped A xa "src host 10.42.0.2 and ($1)" | wc -l) + $(tapped B xb "src host 10.42.0.1 and ($1)" | wc -l)))
}
# became VERDICT: print how many packets got the verdict VERDICT in a function of TCP (tcp_…)
became() {
	grep '"type":"packet"' "$OUT/json" | grep -cE "\"verdict\":\{\"what\":\"$1\",\"function\":\"tcp_" || :
}
bytes='ip[2:2] - ((ip[0] & 15) << 2) - ((tcp[12] & 0xf0) >> 2)'
is "$(became delivered)" "$(counted "$bytes != 0")" "segments with data were delivered"
# If a busy machine reorders packets, TCP may drop some as too old.
old=$(cat <(in_a nstat -asz) <(in_b nstat -asz) | awk '$1 == "TcpExtPAWSEstab" { n += $2 } END { print n }')
is "$(became dropped)" "$old" "dropped packets are those that TCP counts as too old"
is "$(became '(consumed|freed)')" $(($(counted "$bytes = 0") - old)) "the other packets without data were not dropped"
