#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: what the recording itself calls is no probe point, and no glob makes it one: IPv6 beside connection tracking is recorded once
# requires: nft
# timeout: 200

. "$(dirname "$0")/lib.sh"

two_namespaces
# It looks behind IPv6's headers by a function that the recording needs, too.
in_b nft 'table ip6 c { counter come { }; chain in { type filter hook input priority 0; ct state new,established icmpv6 type echo-request counter name come; }; }'
in_a ping -6 -q -c 1 fd09::2 >/dev/null

for function in ipv6_skip_exthdr skb_copy_bits; do
	is "$(status_of trace-cmd record-skb -o "$OUT/trace.dat" -g $function -- true)" 125 "-g $function"
	has "$(cat "$OUT/stderr")" "$function cannot be a probe point: the recording itself calls it" "in words"
done

was=$(packets_of B ip6 c come)
in_b trace-cmd record-skb "${few[@]}" -l 'ipv6_*' -o "$OUT/trace.dat" -g 'ipv6_*' 'icmp6 and ip6[40] == 128' -- \
	ip netns exec A ping -6 -q -c 3 fd09::2 >"$OUT/stdout" 2>"$OUT/said" || fail "$(cat "$OUT/said")"
nothing_lost "$OUT/said"
balanced "$OUT/trace.dat"
is "$(sed -n 's/ packets matched.*//p' "$OUT/said")" $(($(packets_of B ip6 c come) - was)) "packets, as nft counts them"
trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"
cat "$OUT/report"
is "$(grep -c ' packet: .* ipv6_rcv ' "$OUT/report")" 3 "times at ipv6_rcv"
