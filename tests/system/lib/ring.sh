# SPDX-License-Identifier: GPL-2.0
# ring.sh - shared by the tests of --ring. Source it after lib.sh:  . "$here/ring.sh"
#
# B receives packets to port 9005 and counts them. nftables drops packets to port 9001 and counts them.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

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
	# With the default buffer, the receiver would lose some packets on a slow machine.
	at_exit sh -c "echo $(cat /proc/sys/net/core/rmem_max) >/proc/sys/net/core/rmem_max"
	echo 33554432 >/proc/sys/net/core/rmem_max
	background in_b socat -u UDP-RECV:9005,rcvbuf=33554432 /dev/null
	wait_for "port 9005" udp_listening B 9005
}

# dropped_by_nft: print how many packets nftables dropped
dropped_by_nft() {
	in_b nft list counter inet no dropped | sed -n 's/.*packets \([0-9]*\).*/\1/p'
}

# good N: send N packets that are delivered. N must be at least five, because "number" sends five end marks.
# one PORT: send a single packet to PORT
good() {
	in_a "$traffic" number 10.9.0.2 9005 $(($1 - 5))
}
one() {
	in_a bash -c "echo > /dev/udp/10.9.0.2/$1"
}

ring_filter=(-p 9000-9005)
ring_detail=path
# ring OPTION…: start a recorder for $OUT/trace.dat in the background, and wait until the module is armed. Set
# $ring to its PID.
ring() {
	trace-cmd record-skb --detail "$ring_detail" -o "$OUT/trace.dat" "${ring_filter[@]}" "$@" 2>"$OUT/said" &
	ring=$!
	at_exit stop "$ring"
	wait_for "a recording" grep -q '^trace-cmd record-skb: recording until' "$OUT/said"
}

# ring_ended STATUS: wait for the recorder, and check that its exit status is STATUS
ring_ended() {
	local status=0
	wait "$ring" || status=$?
	is "$status" "$1" "the recording ended: $(tail -n 3 "$OUT/said" | tr '\n' ';')"
}

# ended_by FILE SAYS: print the number of the packet that ended the ring. The reason in the report must
# match SAYS. The recording must contain all of this packet, from its first probe point on.
ended_by() {
	local number
	trace-cmd report-skb --list -i "$1" >"$OUT/packets" 2>"$OUT/losses"
	number=$(sed -n "1s/^the ring ended by #\([0-9]*\), which $2: .*/\1/p" "$OUT/losses")
	[ -n "$number" ] || fail "report-skb does not name the packet that ended the ring: $(cat "$OUT/losses")"
	trace-cmd report -R -i "$1" >"$OUT/raw" 2>/dev/null
	grep -Eq " packet: .* pkt=$number .* first=1 " "$OUT/raw" ||
		fail "#$number: the recording has not its first point"
	# report-skb marks a packet that may be incomplete with "!".
	grep -Eq "^ *$number " "$OUT/packets" || fail "#$number is not complete: $(grep "^ *$number!" "$OUT/packets")"
	echo "$number"
}

# serve PORT STEP…: run these steps in B on one connection (see steps.c)
# ask PORT STEP…: run these steps in A on one connection
steps=$(program steps)
serve() {
	background in_b "$steps" listen "$1" accept "${@:2}"
	wait_for "port $1" listening B "$1"
}
ask() {
	ip netns exec A "$steps" connect 10.9.0.2 "$1" "${@:2}" >/dev/null
}

# ended_unanswered: check that a packet without an answer in time ended the ring, and that the recording
# contains all of this packet. Set $number to its number.
ended_unanswered() {
	ring_ended 0
	has "$(cat "$OUT/said")" '^ended by --until: #[0-9]+ had no answer in time$' "the reason for the end of the ring"
	number=$(ended_by "$OUT/trace.dat" "had no answer in time")
}
