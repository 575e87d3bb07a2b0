#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: fragments, mirrored packets and reassembled packets have their own copy numbers, and the recording has an end of each copy
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B; packets that leave A are also sent on d0

. "$(dirname "$0")/../lib/lib.sh"
. "$here/skbs.sh"

mirrored_namespaces
count=20

sent_by() {
	in_a cat "/sys/class/net/$1/statistics/tx_packets"
}

# made KIND FILE: print how many copies of KIND were made in the recording FILE
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
is "$(made 5 "$OUT/raw")" "$whole" "as many reassembled packets"

skbs "$OUT/raw" >"$OUT/skbs" || fail "$OUT/raw"
is "$(awk '$3 == "queued"' "$OUT/skbs")" "" "skbs without an end"
is "$(awk '$2 == 0' "$OUT/skbs" | wc -l)" "$(awk '{ print $1 }' "$OUT/skbs" | sort -u | wc -l)" \
	"each packet is its first skb"
is "$(sort -k 1,1n -k 2,2n "$OUT/skbs" | awk '$1 != pkt { pkt = $1; copy = 0 } $2 != copy++')" "" \
	"its copies are counted from 1 on"

# at DEVICE: for each skb that the driver of DEVICE sent, print the number of its packet and of its copy
at() {
	awk -v dev="$1" -f "$here/rows.awk" -f /dev/stdin "$OUT/raw" <<-'END' | sort
		row() && event == "packet" && field("dev") == dev && field("dir") == 2 &&
			field("func") ~ /^(dummy|veth)_xmit/ { print field("pkt"), field("copy") }
	END
}
is "$(at d0 | sort -u | wc -l)" "$mirrored" "mirrored packets, each with a copy number"
# Five small packets follow the fragments, to mark the end.
is "$(at va | sort -u | wc -l)" $((fragments + 5)) "as many fragments as the kernel counts"
is "$(comm -12 <(at d0) <(at va))" "" "copy numbers that occur in both"
