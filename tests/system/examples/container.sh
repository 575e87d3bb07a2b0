#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: nat.sh shows the packets to a container's published port as one flow, through DNAT and a bridge
# requires: nft
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
#          B (10.6.0.1) br0 --- eth0 (10.6.0.2) C, a container

. "$(dirname "$0")/../lib/lib.sh"

examples=$top/examples
cd "$OUT"
two_namespaces

# B has a container C behind a bridge and publishes the container's port 80 as 8080.
ip netns add C
at_exit ip netns del C
ip -n B link add br0 type bridge mcast_snooping 0
ip -n B link add vbr type veth peer name eth0 netns C
ip -n B link set vbr master br0 up
ip -n B link set br0 up
ip -n B address add 10.6.0.1/24 dev br0
ip -n C address add 10.6.0.2/24 dev eth0
ip -n C link set eth0 up
ip -n C route add default via 10.6.0.1
in_b sysctl -q net.ipv4.ip_forward=1
in_b nft -f - <<END
table ip nat {
	chain to {
		type nat hook prerouting priority -100;
		tcp dport 8080 dnat to 10.6.0.2:80
	}
}
table inet no {
	counter forwarded { }
	chain through {
		type filter hook forward priority 0;
		meta l4proto tcp counter name forwarded
	}
}
END
# Client and server share a CPU. Otherwise an answer may overtake an ACK on the other CPU, and TCP would drop
# the old ACK.
background ip netns exec C taskset -c 0 "$(program traffic)" echo 80
wait_for "the container's server" listening C 80

in_b "$examples/nat.sh" 8080 80 "$(as_long 5)" >nat 2>said &
story=$!
wait_for "the recording" armed
in_a taskset -c 0 bash -c 'exec 3<>/dev/tcp/10.9.0.2/8080; echo x >&3; read -r x <&3'
wait $story
has "$(cat nat)" '^ +1 .* tcp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:8080 ' "nat.sh: one flow"
has_not "$(cat nat)" '^ +2 .* tcp 10\.6.*PACKETS' "there is no second one"
is "$(grep -cE '^ +[0-9]+ +tcp 10\.9\.0\.1:[0-9]+ > 10\.9\.0\.2:8080 .* va@.* > vb@.* > br0 > vbr > eth0@' nat)" \
	"$(grep -cE '^ +[0-9]+ +tcp 10\.9\.0\.1:' nat)" "each of the client's packets goes through to the container"
is "$(grep -cE '^ +[0-9]+ +tcp ' nat)" "$(packets_of B inet no forwarded)" "as many as nft has forwarded"
has_not "$(cat nat)" 'dropped' "dropped packets"
