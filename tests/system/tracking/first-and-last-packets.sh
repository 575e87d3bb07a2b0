#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: packets in flight when a recording begins or ends, at the highest rate, are seen at all probe points from the first one on, and at their end
# tags: long
# requires: nft
# timeout: 120

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

armings=${ARMINGS:-15}
traffic=$(program traffic)
two_namespaces
ip -n A neigh replace 10.9.0.2 lladdr "$(in_b cat /sys/class/net/vb/address)" dev va nud permanent
# Drop the flood in B, so that B does not answer.
in_b nft -f - <<-END
	table inet end {
		chain in {
			type filter hook input priority 0;
			udp dport 9000 drop
		}
	}
END
modprobe record_skb
at_exit modprobe -r record_skb
# This test examines the first entries, which a trace buffer that overruns would lose. So use large trace
# buffers.
at_exit sh -c "echo $(cat "$tracing/buffer_size_kb") >$tracing/buffer_size_kb; echo >$tracing/trace"
echo 30000 >"$tracing/buffer_size_kb"
at_exit sh -c "echo 0 >$tracing/events/record_skb/enable"
echo 1 >"$tracing/events/record_skb/enable"

in_a "$traffic" burst 10.9.0.2 2000000000 9000 &
sender=$!
at_exit stop $sender
come() {
	in_b cat /sys/class/net/vb/statistics/rx_packets
}
sends() {
	[ "$(come)" -gt 1000 ]
}
wait_for "packets" sends

for ((n = 1; n <= armings; n++)); do
	echo >"$tracing/trace"
	"$(program ioctl)" only 9000 1
	! grep -h '^overrun: [1-9]' "$tracing"/per_cpu/cpu*/stats || fail "the buffer is too small"
	awk -f "$here/ways.awk" "$tracing/trace" >>"$OUT/ways" || fail "a packet was seen that is not the recording's"
done
kill -0 $sender || fail "the sender has ended"

whole="$(sort "$OUT/ways" | uniq -c | sort -n | tail -n 1 | sed 's/^ *[0-9]* //')"
has "$whole" ' ip_rcv \|$' "a packet's way is:$whole"
is "$(wc -w <<<"$whole")" 6 "points, with its end"
# A packet that is in flight when the recording begins or ends is only partly recorded. There is only one
# sender, so there is at most one such packet at each end of the recording.
partly=0
while read -r count way; do
	case $whole in
	" $way") continue ;;
	*" $way" | " $way "*) ;;
	*) fail "$count packets were seen at these probe points only: $way" ;;
	esac
	partly=$((partly + count))
done < <(sort "$OUT/ways" | uniq -c)
[ "$partly" -le $((2 * armings)) ] || fail "$partly packets of $(wc -l <"$OUT/ways") lack points or their end"
ok "of $(wc -l <"$OUT/ways") packets in $armings recordings $partly were under way, and seen from there on, or until then"
