#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: LEN is the length of the packet itself, for ICMP in a tunnel, ARP and padded packets; --pcap writes at most the bytes that a frame has
# requires: nft
# vm: --nics

# Network: A (10.9.0.1) card --- hub --- card (10.9.0.2) B
#          A (10.42.0.1) xa --- xb (10.42.0.2) B, the tunnel
. "$(dirname "$0")/../lib/lib.sh"
. "$here/overlays.sh"
. "$here/nics.sh"
modprobe ipip
at_exit modprobe -r ipip
nics e1000
tunnel ipip
# nftables in B counts the tunnel's packets and the packets inside them separately.
in_b nft -f - <<'END'
table ip witness {
	counter inside { }
	counter padded { }
	chain in {
		type filter hook input priority 0;
		iifname "xb" icmp type echo-request counter name inside
		icmp type echo-request ip saddr 10.9.0.1 counter name padded
	}
}
table arp witness {
	counter asked { }
	chain in {
		type filter hook input priority 0;
		counter name asked
	}
}
END
# bytes FAMILY COUNTER: print how many bytes a counter of nftables has counted
bytes() {
	in_b nft list counter "$1" witness "$2" | sed -n 's/.*bytes \([0-9]*\).*/\1/p'
}
# each FAMILY COUNTER: print the average length of the packets that this counter has counted. Read its bytes
# and packets with one command, because another packet may arrive at any time.
each() {
	in_b nft list counter "$1" witness "$2" | awk '$1 == "packets" { print $4 / $2 }'
}

cat >"$OUT/command" <<'END'
ip neighbour flush to 10.9.0.2
ping -q -c 1 -s 1 10.9.0.2 || exit
ping -q -c 3 -i 0.2 -s 308 10.42.0.2
END
trace-cmd record-skb --detail path -o "$OUT/trace.dat" 'icmp or arp' -- ip netns exec A bash "$OUT/command" \
	>"$OUT/printed" 2>"$OUT/said" || fail "$(cat "$OUT/said")"
nothing_lost "$OUT/said"
trace-cmd report -R -i "$OUT/trace.dat" >"$OUT/raw"
# lengths CONDITION: print the sum of net_len in the rows that match CONDITION
lengths() {
	awk -f "$here/rows.awk" -f <(echo "row() && event == \"packet\" && $1 { sum += field(\"net_len\") } END { print sum + 0 }") "$OUT/raw"
}
is "$(bytes ip inside)" $((3 * 336)) "nft counts three packets of 336 bytes in the tunnel"
is "$(lengths 'field("func") == "ip_local_deliver" && field("dev") == "xb" && field("icmp_type") == 8')" "$(bytes ip inside)" \
	"so does the recording, where they come out"
is "$(lengths "field(\"func\") == \"ip_local_deliver\" && field(\"dev\") == \"$nic_b\" && field(\"icmp_type\") == 8")" \
	"$(bytes ip padded)" "padded packets have their own length"
# For ARP, compare the lengths and not the number of packets: more ARP requests may be sent before and after
# the recording.
is "$(awk -v dev="$nic_b" -f "$here/rows.awk" -f /dev/stdin "$OUT/raw" <<-'END' | sort -u
	row() && event == "packet" && field("func") == "arp_rcv" && field("dev") == dev { print field("net_len") }
END
)" "$(each arp asked)" "the length of ARP packets, as nftables counts it"
# --json prints one LEN for each packet: its length at the first probe point.
trace-cmd report-skb --json "$OUT/trace.dat" 2>"$OUT/report" >"$OUT/json"
is "$(sed -nE 's/^\{"type":"packet",.*"destination":\{"address":"10.42.0.2"\}.*"length":([0-9]+).*/\1/p' "$OUT/json" | uniq -c | tr -s ' ')" " 6 336" \
	"report-skb: LEN in the tunnel"
is "$(sed -nE 's/.*"arp":[12],.*"length":([0-9]+).*/\1/p' "$OUT/json" | sort -u | tr '\n' ' ')" "28 46 " "report-skb: LEN of ARP, and of padded ARP"

trace-cmd report-skb --pcap "$OUT/trace.pcapng" "$OUT/trace.dat" 2>"$OUT/report"
"$(program captured)" "$OUT/trace.pcapng" >"$OUT/frames"
[ -s "$OUT/frames" ] || fail "there is no frame"
is "$(awk '$1 > $2' "$OUT/frames")" "" "--pcap: frames that are longer than they were"
# A frame in the capture file is 16 bytes longer than the packet, because it has a "Linux cooked" header.
is "$(awk '$1 == 29 + 16 && $2 == 29 + 16' "$OUT/frames" | wc -l)" 4 "padded frames of both directions at both ends"
