#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a second recording begins and ends beside one of all functions under traffic, again and again: the kernel lives, the first has its packets
# requires: nft
# kernels: 6.12 6.12-rt 7.2 newest
# tags: long
# timeout: 900

. "$(dirname "$0")/lib.sh"

cd "$OUT"
two_namespaces
echo_server B 9000 9001
in_b nft -f - <<-END
	table inet witness {
		counter first { }
		chain in {
			type filter hook input priority 0;
			tcp dport 9001 counter name first
		}
		chain out {
			type filter hook output priority 0;
			tcp sport 9001 counter name first
		}
	}
END
ip netns exec A trace-cmd record-skb --shared --detail all -o first.dat -p 9001 2>first.said &
first=$!
at_exit stop $first
wait_for "the first" grep -q 'recording until' first.said
background_stream -c
for round in $(seq "${ROUNDS:-40}"); do
	is "$(status_of trace-cmd record-skb --shared --detail path -o second.dat -p 9002 -- true)" 0 "round $round"
	is "$(client A 10.9.0.2 9001 "$round")" "$round" "what came back"
done
stream_ends
kill -INT $first
wait $first || fail "$(cat first.said)"
packets=$(packets_of B inet witness first)
[ "$packets" -ge "${ROUNDS:-40}" ] || fail "there were $packets packets only"
is "$(sed -n 's/ packets matched.*//p' first.said)" "$packets" "packets of the first, as nftables counted them"
nothing_lost first.said
