#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a TCP client talks to port 9000 amid other traffic: the trace has complete call graphs of its packets only, and the report names them
# requires: nft
# tags: main
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
echo_server B 9000 7001 7002
traffic=$(program traffic)

# The nftables counter must see the background traffic, and the trace must not.
in_b nft -f - <<END
table inet witness {
	counter others { }
	chain in {
		type filter hook prerouting priority -300;
		tcp dport { 7001, 7002 } counter name others
	}
}
END
others() {
	packets_of B inet witness others
}
ip netns exec A "$traffic" chat 10.9.0.2 7001 7002 &
at_exit stop $!

before=$(others)
is "$(status_of in_a trace-cmd record-skb -p 9000 -o "$OUT/trace.dat" -- "$traffic" talk 10.9.0.2 2 9000)" 0 "exit status"
[ "$(others)" -gt "$before" ] || fail "there was no unrelated traffic"
stop $!

said=$(cat "$OUT/stderr")
has "$said" '^[1-9][0-9] packets matched, 2 flows seen$' "the summary counts packets and flows"
has "$said" '^[1-9][0-9]+ entries recorded, 0 lost$' "the summary counts entries"
has "$said" "^$OUT/trace.dat: [0-9.]+ [KM]B$" "the summary names the file"

balanced "$OUT/trace.dat"
owners "$OUT/trace.dat"

# The client's first packet passes these functions in this order: down the sender's stack, up the receiver's
# stack, and to the server's socket.
sed -n '/#1 tcp/p' "$OUT/report" | grep -o '[a-z_0-9]*() {* */\* #1 tcp .*' >"$OUT/first"
for function in ip_output __dev_queue_xmit dev_hard_start_xmit veth_xmit ip_rcv ip_local_deliver tcp_v4_rcv \
	tcp_v4_do_rcv tcp_conn_request; do
	sed -i -n "/^$function()/,\$p" "$OUT/first"
	has "$(head -n 1 "$OUT/first")" "^$function\(\) \{ /\* #1 tcp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:9000 \*/$" \
		"the first packet passes $function"
done

# A complete graph also has functions that are not probe points.
has "$(cat "$OUT/report")" 'kfree_skb|__kfree_skb|skb_release|kmem_cache_free' "functions of the memory allocator"
has_not "$(cat "$OUT/report")" ':700[12]\b' "no unrelated flow"
