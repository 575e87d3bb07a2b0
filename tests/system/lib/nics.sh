# SPDX-License-Identifier: GPL-2.0
# Two network cards of the guest on one hub, in the namespaces A and B: shared by the tests of network drivers.
# The header of such a test asks for a guest with these cards:
#
#   # vm: --nics
# shellcheck disable=SC2154 # lib.sh or the test sets the other variables.

# devices_of DRIVER: print the network devices of this driver
devices_of() {
	local device
	for device in /sys/class/net/*; do
		[ "$(basename "$(readlink -f "$device/device/driver")")" != "$1" ] || basename "$device"
	done
}

two_devices() {
	[ "$(devices_of "$1" | wc -l)" = 2 ]
}

# nics DRIVER: move the two devices of this driver into A and B, and set $nic_a and $nic_b to their names
#
# ┌──── A ────┐   hub   ┌──── B ────┐
# │   10.9.0.1 ───────── 10.9.0.2   │
# └───────────┘         └───────────┘
nics() {
	local ns device n=0
	modprobe "${1/virtio_net/virtio-net}"
	at_exit modprobe -r "$1"
	wait_for "two devices of $1" two_devices "$1"
	for device in $(devices_of "$1"); do
		n=$((n + 1))
		[ $n = 1 ] && ns=A || ns=B
		ip netns add $ns
		at_exit ip netns del $ns
		ip link set "$device" netns $ns
		ip -n $ns -batch - <<-END
			link set lo up
			address add 10.9.0.$n/24 dev $device
			address add fd09::$n/64 dev $device nodad
			link set $device up
		END
		eval "nic_${ns,}=$device"
	done
	wait_for "the link between A and B" in_a ping -c 1 -W 1 10.9.0.2
}

# carrier_changes: print how often each card has lost or regained its link. An emulated card can lose its
# link for a moment. Packets are dropped during that time.
carrier_changes() {
	in_a cat "/sys/class/net/$nic_a/carrier_changes"
	in_b cat "/sys/class/net/$nic_b/carrier_changes"
}

# Test operstate, because the carrier is up before the transmit queue has been started.
links_are_up() {
	[ "$(in_a cat "/sys/class/net/$nic_a/operstate") $(in_b cat "/sys/class/net/$nic_b/operstate")" = "up up" ]
}

# with_link COMMAND…: run COMMAND. If the link was lost during the run, repeat it up to four times. Print the
# output of the last run.
with_link() {
	local was said
	for _ in 1 2 3 4 5; do
		wait_for "the link" links_are_up
		was=$(carrier_changes)
		said=$("$@")
		[ "$(carrier_changes)" != "$was" ] || break
		echo "the link was lost during the test:" >&2
		dmesg | grep -E "($nic_a|$nic_b)[ :(]" | tail -n 6 >&2
	done
	echo "$said"
}

# Make permanent neighbour entries. On a busy machine, an ARP reply may be so late that packets are lost.
neighbours_are_known() {
	local mac_a mac_b address
	mac_a=$(in_a cat "/sys/class/net/$nic_a/address")
	mac_b=$(in_b cat "/sys/class/net/$nic_b/address")
	for address in 10.9.0. fd09::; do
		ip -n A neighbour replace "${address}2" lladdr "$mac_b" dev "$nic_a" nud permanent
		ip -n B neighbour replace "${address}1" lladdr "$mac_a" dev "$nic_b" nud permanent
	done
}

# Do not let the cards cut packets into segments. Then tcpdump sees the same packets in A as those that
# arrive in B.
nothing_is_cut_by_the_card() {
	ip netns exec A ethtool -K "$nic_a" tso off gso off
	ip netns exec B ethtool -K "$nic_b" tso off gso off
}

# through_nics DRIVER: record streams and numbered packets, with and without GRO. Check that exactly these are
# recorded.
through_nics() {
	local gro bytes
	nics "$1"
	neighbours_are_known
	nothing_is_cut_by_the_card
	bytes=40960
	traffic=$(program traffic)
	# GRO does not merge packets with different TCP timestamps.
	in_a sysctl -qw net.ipv4.tcp_timestamps=0
	echo_server B 9000 7001
	background in_b "$traffic" -6 echo 9006
	wait_for "the server of IPv6" listening B 9006
	# Send numbered packets over IPv4 and IPv6, in turn with unrelated packets. Then send a stream beside
	# an unrelated stream.
	cat >"$OUT/command" <<-'END'
		"$1" burst 10.9.0.2 60 7000 9000 7001 || exit
		"$1" talk fd09::2 2 9006 || exit
		"$1" stream 10.9.0.2 7001 40960 >/dev/null &
		"$1" stream 10.9.0.2 9000 40960 && wait $! && over 9000 && over 9006
	END
	for gro in off on; do
		# On a busy machine, each packet causes an interrupt of its own, and GRO finds no packets to
		# merge. So let the kernel poll B's card.
		[ $gro = off ] || in_b sh -c "cd /sys/class/net/$nic_b && echo 50000000 >gro_flush_timeout && echo 100 >napi_defer_hard_irqs"
		ip netns exec A ethtool -K "$nic_a" gro $gro
		ip netns exec B ethtool -K "$nic_b" gro $gro
		through_nics_once $gro
	done
}

nic_exchange() {
	delivered B 9000 in_a "$@" bash "$OUT/command" "$traffic"
}

# through_nics_once GRO: do the work of through_nics, with GRO "on" or "off"
through_nics_once() {
	local wanted sent arrived here_point=napi_gro_receive
	# shellcheck disable=SC2034 # used by tap.sh
	padded=1
	wanted="$bytes
received 60, late 0, twice 0"
	is "$(nic_exchange env)" "$wanted" "GRO $1: without recording"
	tap A "$nic_a"
	tap B "$nic_b"
	is "$(nic_exchange trace-cmd record-skb "${few[@]}" -l 'napi_*' -l '*gro*' -l 'udp*' -l '*netif_receive*' -b 16384 \
		-o "$OUT/trace.dat" -p 9000,9006 --)" "$wanted" "GRO $1: recorded"
	taps_end
	nothing_lost "$OUT/said"
	balanced "$OUT/trace.dat"
	read_trace "$OUT/trace.dat"
	only '10\.9\.0\.[12].*:9000 |\[fd09::[12]\]:9006 '

	# The driver passes on the packets as they were on the wire. GRO may merge them before they reach the
	# protocols.
	grep -q ' packet: *func=gro_receive_skb ' "$OUT/raw" && here_point=gro_receive_skb
	seen_by $here_point "$nic_b" >"$OUT/seen"
	tapped A "$nic_a" 'dst port 9000 or dst port 9006' >"$OUT/tapped"
	sent=$(wc -l <"$OUT/tapped")
	[ "$sent" -gt $((65 + bytes / 1448)) ] || fail "only $sent packets left A"
	[ "$(tapped A "$nic_a" 'dst port 7000 or dst port 7001' | wc -l)" -gt 65 ] || fail \
		"there was no unrelated traffic"
	diff "$OUT/tapped" "$OUT/seen" >&2 || fail "the packets at $here_point (>) differ from those that left A (<)"
	ok "GRO $1: $here_point saw the $sent packets that left A, in this order"
	as_tapped ip_list_rcv A "$nic_a" 'src port 9000'
	as_tapped ip_list_rcv B "$nic_b" 'dst port 9000'
	arrived=$tapped
	as_tapped ipv6_list_rcv A "$nic_a" 'src port 9006'
	as_tapped ipv6_list_rcv B "$nic_b" 'dst port 9006'
	arrived=$((arrived + tapped))
	# GRO merges later packets into the first one, which keeps its number.
	[ -z "$(comm -23 <(numbers_at 'ip_list_rcv|ipv6_list_rcv' | sort) <(numbers_at $here_point | sort))" ] || fail \
		"a packet has a new number after GRO"
	if [ "$1" = on ]; then
		[ "$arrived" -lt "$sent" ] || fail "GRO merged nothing"
		ok "GRO made $arrived packets of the $sent"
	else
		is "$arrived" "$sent" "packets without GRO"
	fi
}
