# SPDX-License-Identifier: GPL-2.0
# Three hosts in one guest: three namespaces with wires of relay between them, each with a recording of its own.
# shellcheck disable=SC2154 # lib.sh or the test sets the other variables.
#
#    ┌── client ──┐          ┌────────── router ──────────┐          ┌── server ──┐
#    │            │          │                            │          │            │
#    │   10.9.0.1 eth0 ──── eth1 10.9.0.254  10.8.0.254 eth2 ──── eth0 10.8.0.2   │
#    │    fd09::1 │          │ fd09::fe         fd08::fe  │          │ fd08::2    │
#    └────────────┘          └────────────────────────────┘          └────────────┘

# three_hosts [LOST DOUBLED LATE]: make the three hosts. On each link, LOST of 1000 packets are lost, DOUBLED
# are doubled, and LATE are late.
three_hosts() {
	local ns relay
	relay=$(program relay)
	modprobe tun
	for ns in client router server; do
		ip netns add $ns
		at_exit ip netns del $ns
		ip netns exec $ns sysctl -q net.ipv6.conf.default.accept_dad=0
	done
	"$relay" client eth0 router eth1 "$@" 7 >"$OUT/wire1" &
	wire1=$!
	at_exit stop $wire1
	"$relay" router eth2 server eth0 "$@" 8 >"$OUT/wire2" &
	wire2=$!
	at_exit stop $wire2
	wait_for "the wires" ip -n server link show eth0
	wait_for "the wires" ip -n router link show eth1
	ip -n client -batch - <<-END
		link set lo up
		link set eth0 up
		address add 10.9.0.1/24 dev eth0
		address add fd09::1/64 dev eth0 nodad
		route add default via 10.9.0.254
		route add default via fd09::fe
	END
	ip -n router -batch - <<-END
		link set eth1 up
		link set eth2 up
		address add 10.9.0.254/24 dev eth1
		address add fd09::fe/64 dev eth1 nodad
		address add 10.8.0.254/24 dev eth2
		address add fd08::fe/64 dev eth2 nodad
	END
	ip -n server -batch - <<-END
		link set lo up
		link set eth0 up
		address add 10.8.0.2/24 dev eth0
		address add fd08::2/64 dev eth0 nodad
		route add default via 10.8.0.254
		route add default via fd08::fe
	END
	ip netns exec router sysctl -q net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
	wait_for "the way from client to server" ip netns exec client ping -c 1 -W 1 10.8.0.2
	wait_for "the way of IPv6" ip netns exec client ping -c 1 -W 1 fd08::2
}

# record_host HOST ARGS…: start a recording in the namespace of HOST, with HOST as the host name. host_ends
# will end it.
declare -A recorder
record_host() {
	ip netns exec "$1" unshare --uts sh -c 'hostname "$1"; shift; exec trace-cmd record-skb --shared "$@"' - \
		"$1" --netns "$1" -o "$OUT/$1.dat" --detail path "${@:2}" "ip or ip6" 2>"$OUT/$1.said" &
	recorder[$1]=$!
	at_exit stop $!
	wait_for "the recorder of $1" grep -q "recording until" "$OUT/$1.said"
}
host_ends() {
	kill -INT "${recorder[$1]}"
	wait "${recorder[$1]}" || fail "the recorder of $1: $(cat "$OUT/$1.said")"
}
