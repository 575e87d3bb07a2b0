#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: exactly the neighbour solicitations that a followed command causes, and their advertisements, are recorded
# requires: tcpdump
# timeout: 180

# Network: A (fd09::1) va --- vb (fd09::2, fd09::3) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"

two_namespaces
ip -n B address add fd09::3/64 dev vb nodad
wait_for "the link" in_a ping -q -c 1 -W 1 fd09::2 >/dev/null

# messages TYPE TARGET: print how many ICMPv6 messages with this type and target address tcpdump captured
messages() {
	local target
	target=$(printf 'icmp6 and ip6[40] = %d and ip6[48:4] = 0xfd090000 and ip6[60:4] = %d' "$1" "$2")
	tcpdump -r "$OUT/A.va.pcap" -nn -t "$target" 2>/dev/null | wc -l
}
# recorded TYPE: print how many packets with this ICMPv6 type were recorded
recorded() {
	grep '"type":"packet"' "$OUT/json" | grep -c "\"icmp\":{\"type\":$1," || true
}
record() { # COMMAND…
	is "$(status_of in_a trace-cmd record-skb --detail path -o "$OUT/trace.dat" -- "$@")" 0 "$*"
	trace-cmd report-skb -i "$OUT/trace.dat" --json >"$OUT/json" 2>/dev/null
}

# At the same time, another process solicits another host, and an address that no host has.
background ip netns exec A sh -c 'while :; do
	ip neighbour flush to fd09::3; ping -q -c 1 -W 1 fd09::3; ping -q -c 1 -W 1 fd09::77; done' >/dev/null
ip -n A neighbour flush to fd09::2
tap A va icmp6
record ping -c 1 fd09::2
taps_end

[ "$(messages 136 3)" -gt 0 ] || fail "no other neighbour answered"
[ "$(messages 136 2)" -gt 0 ] || fail "no neighbour answered the command"
# On a busy machine, the solicitation may be repeated.
is "$(recorded 135) $(recorded 136)" "$(messages 135 2) $(messages 136 2)" "recorded as tcpdump has them"
is "$(recorded 128) $(recorded 129)" "1 1" "the ping itself is recorded"
flows=$(grep '"type":"packet"' "$OUT/json" | grep -E '"type":13[56],' | grep -o '"flow":[0-9]*' | sort -u | wc -l)
is "$flows" 1 "question and answer have the same flow"
is "$(trace-cmd report-skb -i "$OUT/trace.dat" --list 2>/dev/null | grep 'neighbour advertisement' | grep -c DROP || :)" 0 \
	"the answer is not dropped"
