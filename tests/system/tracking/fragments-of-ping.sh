#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a fragment without the ICMP header is not shown as an echo request or reply
# tags: slow
# timeout: 240

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/small-mtu.sh"

# The report must not show a fragment without the ICMP header as an echo reply.
is "$(status_of in_a trace-cmd record-skb "${few[@]}" -o "$OUT/ping.dat" 'icmp or icmp6' -- \
	sh -c 'ping -c 1 -s 4000 10.8.0.2; ping -c 1 -s 4000 fd08::2')" 0 "pings in fragments"
trace-cmd report -i "$OUT/ping.dat" 2>/dev/null >"$OUT/pings"
trace-cmd report-skb --list -i "$OUT/ping.dat" >>"$OUT/pings" 2>/dev/null
for address in '10\.9\.0\.1' fd09::1; do
	has "$(cat "$OUT/pings")" "icmp(v6)? $address > [^ ]* echo request id [1-9]" "$address asks"
	has "$(cat "$OUT/pings")" "(icmp|icmpv6) $address > [^ ]*( +-| *[*]/)" "its later fragments"
	is "$(grep -E "icmp(v6)? $address > [^ ]* (echo reply|type )" "$OUT/pings" || :)" "" "fragments that are shown with a type"
done
