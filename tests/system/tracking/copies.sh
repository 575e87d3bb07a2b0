#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: fragments, mirrored packets and reassembled packets have copy numbers of their own, and each copy has an end
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
# On two CPUs one packet may overtake another.
taskset -cp 0 $$ >/dev/null

two_namespaces
traffic=$(program traffic)
in_a ip link add d0 type dummy
# The mirror's device must not send packets of its own.
in_a sysctl -q -w net.ipv6.conf.d0.disable_ipv6=1
in_a ip link set d0 up
in_a tc qdisc add dev va clsact
in_a tc filter add dev va egress protocol ip matchall action mirred egress mirror dev d0
count=20

# counter NAMESPACE PROTOCOL NAME: print a counter of the kernel
counter() {
	ip netns exec "$1" awk -v proto="$2:" -v name="$3" '
		$1 == proto && !seen { seen = 1; for (i = 2; i <= NF; i++) if ($i == name) column = i; next }
		$1 == proto { print $column }' /proc/net/snmp
}

sent_by() {
	in_a cat "/sys/class/net/$1/statistics/tx_packets"
}

# skbs FILE: print "PKT COPY HOW" for each skb with a number; HOW is how it ended: end, drop, or queued
skbs() {
	awk -f "$here/rows.awk" -f /dev/stdin "$1" <<-'END'
		!row() { next }
		event == "packet" || event == "copy" {
			id = field("pkt") " " field("copy")
			if (!(id in how))
				how[id] = "queued"
		}
		event == "end" || event == "drop" {
			id = field("pkt") " " field("copy")
			if (!(id in how) || how[id] != "queued")
				wrong("what is not there ends")
			how[id] = event
		}
		END { if (!failed) for (id in how) print id, how[id] }
	END
}

# made KIND FILE: print how many copies of this kind were made
made() {
	awk -f "$here/rows.awk" -f /dev/stdin -v kind="$1" "$2" <<-'END'
		row() && event == "copy" && field("kind") == kind { n++ }
		END { print n + 0 }
	END
}

in_b "$traffic" collect 9000 >"$OUT/came" &
collector=$!
at_exit stop $collector
wait_for "the collector" udp_listening B 9000

fragments=$(counter A Ip FragCreates)
whole=$(counter B Ip ReasmOKs)
mirrored=$(sent_by d0)
in_a trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" -p 9000 -- bash -c \
	'"$0" number 10.9.0.2 9000 '"$count"' 4000; while kill -0 '"$collector"' 2>/dev/null; do sleep 0.1; done' "$traffic" \
	2>"$OUT/said" || fail "$(cat "$OUT/said")"
wait $collector
is "$(cat "$OUT/came")" "received $count, late 0, twice 0" "all came"
nothing_lost "$OUT/said"
trace-cmd report -R -i "$OUT/trace.dat" >"$OUT/raw"
fragments=$(($(counter A Ip FragCreates) - fragments))
whole=$(($(counter B Ip ReasmOKs) - whole))
mirrored=$(($(sent_by d0) - mirrored))

[ "$fragments" -ge $((count * 3)) ] || fail "only $fragments fragments"
is "$(made 5 "$OUT/raw")" "$whole" "as many put together"

skbs "$OUT/raw" >"$OUT/skbs" || fail "$OUT/raw"
is "$(awk '$3 == "queued"' "$OUT/skbs")" "" "skbs without an end"
is "$(awk '$2 == 0' "$OUT/skbs" | wc -l)" "$(awk '{ print $1 }' "$OUT/skbs" | sort -u | wc -l)" \
	"each packet is its first skb"
is "$(sort -k 1,1n -k 2,2n "$OUT/skbs" | awk '$1 != pkt { pkt = $1; copy = 0 } $2 != copy++')" "" \
	"its copies are counted from 1 on"

# at DEVICE: print "PKT COPY" for each skb that its driver sent
at() {
	awk -v dev="$1" -f "$here/rows.awk" -f /dev/stdin "$OUT/raw" <<-'END' | sort
		row() && event == "packet" && field("dev") == dev && field("dir") == 2 &&
			field("func") ~ /^(dummy|veth)_xmit/ { print field("pkt"), field("copy") }
	END
}
is "$(at d0 | sort -u | wc -l)" "$mirrored" "mirrored packets, each with a copy number"
# Five small packets behind them mark the end.
is "$(at va | sort -u | wc -l)" $((fragments + 5)) "as many fragments as the kernel counts"
is "$(comm -12 <(at d0) <(at va))" "" "copy numbers that occur in both"

# A reader that does not read leaves the packets in the socket.
in_b socat -u UDP-RECV:9000 "CREATE:$OUT/read" &
reader=$!
at_exit stop $reader
wait_for "the reader" udp_listening B 9000
socat=$(pgrep -P $reader || echo $reader)
kill -STOP "$socat"
read=$(counter B Udp InDatagrams)
in_a trace-cmd record-skb "${few[@]}" -o "$OUT/queued.dat" -p 9000 -- \
	"$traffic" number 10.9.0.2 9000 "$count" 100 2>"$OUT/said" || fail "$(cat "$OUT/said")"
read=$(($(counter B Udp InDatagrams) - read))
kill -CONT "$socat"
trace-cmd report -R -i "$OUT/queued.dat" >"$OUT/raw"
is "$read" 0 "the reader sleeps"
skbs "$OUT/raw" >"$OUT/skbs" || fail "$OUT/raw"
is "$(awk '$3 == "queued"' "$OUT/skbs" | wc -l)" "$((count + 5))" "as many are queued as were sent"
is "$(awk '$3 == "drop"' "$OUT/skbs")" "" "dropped skbs"
