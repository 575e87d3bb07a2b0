#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: one of very many packets is dropped at a random moment: the ring has its complete path, and waiting for the drop takes no memory
# requires: nft socat
# tags: long
# timeout: 3600

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/ring.sh"
. "$here/memory.sh"

# The number of rounds, and of packets in a round. The debug kernel takes eight times as long.
[ "$VM_KERNEL" = debug ] && rounds="3x12500 12x1000" || rounds="3x100000 100x1000"
rounds=${ROUNDS:-$rounds}
ring_kb=${RING_KB:-512}
random_seed

# one_of PACKETS: send PACKETS packets. nftables drops one of them, at a random moment.
one_of() {
	local first=$(((RANDOM * 32768 + RANDOM) % ($1 - 12) + 6))
	good "$first"
	one 9001
	good $(($1 - first - 1))
}

# caught: check the file of the newest ring. It must have the dropped packet, from its first probe point on,
# and no other drop. Remember the size of the largest file.
caught() {
	local file number
	file=$(sed -n 's/.* was dropped: //p' "$OUT/said" | tail -n 1)
	number=$(ended_by "$file" "was dropped")
	grep -Eq "^ *$number .*:9001 .*NETFILTER_DROP" "$OUT/packets" || fail "#$number is another"
	[ "$(grep -c ':9001 ' "$OUT/packets")" = 1 ] || fail "the ring has more than one drop"
	largest=$(printf '%s\n' "$largest" "$(stat -c %s "$file")" | sort -n | tail -n 1)
}

ring_setup
begin=$SECONDS
largest=0
times=0
packets=0
steps=0
recorder_more=0
ring --ring "${ring_kb}K" --keep 1 --until drop=NETFILTER_DROP
for round in $rounds; do
	for ((n = 1; n <= ${round%x*}; n++)); do
		one_of "${round#*x}"
		times=$((times + 1))
		packets=$((packets + ${round#*x}))
		wait_for "drop $times" eval "[ \$(grep -c 'was dropped: ' '$OUT/said') = $times ] && [ \$(cat $tracing/tracing_on) = 1 ] && armed"
		caught
		# Measure the memory from the 10th ring on, because the first rings fill caches.
		[ "$times" != 10 ] || kernel_was=$(kernel_memory)
		recorder_grows
	done
	echo "# $round: $((SECONDS - begin)) s, the kernel has $(kernel_memory) KB, the recorder $(recorder_memory)"
done
kernel_more=$(($(kernel_memory) - kernel_was))
kill -INT "$ring"
ring_ended 0
is "$times of $(dropped_by_nft)" "$times of $times" "drops caught, among $packets packets"
# Besides the ring, a file has the names of the kernel's functions. They need 0.5 MB on 6.1, and 0.7 MB on
# 7.3.
[ "$largest" -le $((ring_kb * 1024 + 512 * 1024)) ] || fail "a file has $largest bytes, with a ring of $ring_kb KB"
ok "the largest file has $largest bytes"
[ "$kernel_more" -lt 4096 ] || fail "the kernel has $kernel_more KB more"
[ "$recorder_more" -lt 256 ] || fail "the recorder has $recorder_more KB more"
[ $steps -le 4 ] || fail "the recorder has grown by more than 256 KB $steps times"
ok "waiting takes no memory: $kernel_more KB of the kernel's, $recorder_more of the recorder's, and $steps steps of its heap"
