# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# skbs.sh - the copy number and the end of each skb of a packet, and the kernel's counters
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Use one CPU only, because packets on two CPUs may overtake each other.
taskset -cp 0 $$ >/dev/null
traffic=$(program traffic)

# mirrored_namespaces: same as two_namespaces, but A mirrors the packets that leave va to its dummy device d0
#
# Network: A (10.9.0.1) va --- vb (10.9.0.2) B
#          A d0, a copy of the packets that leave va
mirrored_namespaces() {
	two_namespaces
	in_a ip link add d0 type dummy
	# The device d0 must not send packets of its own.
	in_a sysctl -q -w net.ipv6.conf.d0.disable_ipv6=1
	in_a ip link set d0 up
	in_a tc qdisc add dev va clsact
	in_a tc filter add dev va egress protocol ip matchall action mirred egress mirror dev d0
}

# counter NAMESPACE PROTOCOL NAME: print a counter of the kernel in /proc/net/snmp
counter() {
	ip netns exec "$1" awk -v proto="$2:" -v name="$3" '
		$1 == proto && !seen { seen = 1; for (i = 2; i <= NF; i++) if ($i == name) column = i; next }
		$1 == proto { print $column }' /proc/net/snmp
}

# skbs FILE: print a line "PKT COPY HOW" for each skb of a packet. HOW is "end" or "drop", or "queued" if
# the skb has not ended.
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
				wrong("an skb ends that is not in a queue")
			how[id] = event
		}
		END { if (!failed) for (id in how) print id, how[id] }
	END
}
