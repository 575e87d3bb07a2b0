# SPDX-License-Identifier: GPL-2.0
# What the tests of --ring have in common.  . "$here/ring.sh"  behind lib.sh
#
# In B, port 9005 is counted as it comes, and what goes to 9001 is dropped by nft, which counts.

traffic=$(program traffic)

ring_setup() {
	two_namespaces
	in_b nft -f - <<-END
		table inet no {
			counter dropped { }
			chain in {
				type filter hook input priority 0;
				udp dport 9001 counter name dropped drop
			}
		}
	END
	# With the usual buffer it would lose some of them where the machine is slow.
	at_exit sh -c "echo $(cat /proc/sys/net/core/rmem_max) >/proc/sys/net/core/rmem_max"
	echo 33554432 >/proc/sys/net/core/rmem_max
	background in_b socat -u UDP-RECV:9005,rcvbuf=33554432 /dev/null
	wait_for "port 9005" udp_listening B 9005
}

# dropped_by_nft: how many
dropped_by_nft() {
	in_b nft list counter inet no dropped | sed -n 's/.*packets \([0-9]*\).*/\1/p'
}

# good N: packets that come, at least five: that is how many say the end. one PORT: a single one.
good() {
	in_a "$traffic" number 10.9.0.2 9005 $(($1 - 5))
}
one() {
	in_a bash -c "echo > /dev/udp/10.9.0.2/$1"
}

ring_filter=(-p 9000-9005)
ring_detail=path
# ring OPTION…: record in the background, into trace.dat of $OUT, and wait until it is armed; it is $ring.
ring() {
	trace-cmd record-skb --detail "$ring_detail" -o "$OUT/trace.dat" "${ring_filter[@]}" "$@" 2>"$OUT/said" &
	ring=$!
	at_exit stop "$ring"
	wait_for "a recording" grep -q '^trace-cmd record-skb: recording until' "$OUT/said"
}

# ring_ended STATUS
ring_ended() {
	local status=0
	wait "$ring" || status=$?
	is "$status" "$1" "the recording ended: $(tail -n 3 "$OUT/said" | tr '\n' ';')"
}

# ended_by FILE SAYS: the number of the packet that ended it, of which the recording has all, from its first point on.
ended_by() {
	local number
	trace-cmd report-skb -i "$1" >"$OUT/packets" 2>"$OUT/losses"
	number=$(sed -n "1s/^the ring ended by #\([0-9]*\), which $2: .*/\1/p" "$OUT/losses")
	[ -n "$number" ] || fail "report-skb does not say who ended it: $(cat "$OUT/losses")"
	trace-cmd report -R -i "$1" >"$OUT/raw" 2>/dev/null
	grep -Eq " packet: .* pkt=$number .* first=1 " "$OUT/raw" ||
		fail "#$number: the recording has not its first point"
	# A packet of which anything may be missing is marked.
	grep -Eq "^ *$number " "$OUT/packets" || fail "#$number is not whole: $(grep "^ *$number!" "$OUT/packets")"
	echo "$number"
}
