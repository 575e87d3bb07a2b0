#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: one drop among very many packets, at a random moment, again and again: each is caught, and whole
# requires: nft socat
# tags: long
# timeout: 3600

. "$(dirname "$0")/lib.sh"
. "$here/ring.sh"

times=${RINGS:-20}
packets=${PACKETS:-5000}
seed=${RING_SEED:-$(date +%s)}
RANDOM=$seed
echo "seed $seed, $times times one of $packets"

ring_setup
ring_kb=4096
caught=0
memory() {
	awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo
}
ring --ring ${ring_kb}K --keep 1 --until drop=NETFILTER_DROP
for ((n = 1; n <= times; n++)); do
	first=$((RANDOM * (packets - 10) / 32768 + 5))
	good $first
	one 9001
	good $((packets - first))
	wait_for "drop $n" eval "[ \$(grep -c 'was dropped: ' '$OUT/said') = $n ] && [ \$(cat $tracing/tracing_on) = 1 ] && armed"
	file=$(sed -n 's/.* was dropped: //p' "$OUT/said" | tail -n 1)
	number=$(ended_by "$file" "was dropped")
	grep -Eq "^ *$number .*:9001 .*NETFILTER_DROP" "$OUT/packets" || fail "$n: #$number is another"
	[ $(($(stat -c %s "$file") / 1024)) -le $((ring_kb * 11 / 10)) ] || fail "$n: $(stat -c %s "$file") bytes are more than the ring"
	caught=$((caught + 1))
	[ $((n % 10)) != 1 ] || echo "# $n: $(memory) KB available"
done
kill -INT "$ring"
ring_ended 0
is "$caught of $(dropped_by_nft)" "$times of $times" "drops caught"
