#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: functions that the recording itself calls cannot become probe points, not even by a glob; IPv6 packets with connection tracking are recorded once
# requires: nft
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
# Connection tracking skips the IPv6 extension headers with a function that the recording also uses.
in_b nft 'table ip6 c { counter come { }; chain in { type filter hook input priority 0; ct state new,established icmpv6 type echo-request counter name come; }; }'
in_a ping -6 -q -c 1 fd09::2 >/dev/null

for function in ipv6_skip_exthdr skb_copy_bits; do
	is "$(status_of trace-cmd record-skb -o "$OUT/trace.dat" -g $function -- true)" 125 "-g $function"
	has "$(cat "$OUT/stderr")" "$function cannot be a probe point: the recording itself calls it" "the message gives the reason"
done

was=$(packets_of B ip6 c come)
in_b trace-cmd record-skb "${few[@]}" -l 'ipv6_*' -o "$OUT/trace.dat" -g 'ipv6_*' 'icmp6 and ip6[40] == 128' -- \
	ip netns exec A ping -6 -q -c 3 fd09::2 >"$OUT/stdout" 2>"$OUT/said" || fail "$(cat "$OUT/said")"
nothing_lost "$OUT/said"
balanced "$OUT/trace.dat"
is "$(sed -n 's/ packets matched.*//p' "$OUT/said")" $(($(packets_of B ip6 c come) - was)) "packets, as nftables counts them"
trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"
cat "$OUT/report"
is "$(grep -c ' packet: .* ipv6_rcv ' "$OUT/report")" 3 "times at ipv6_rcv"
