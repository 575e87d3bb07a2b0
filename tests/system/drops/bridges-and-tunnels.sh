#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why explains drops of bridges (isolation, VLANs, STP, locked, flooding), bonds, GRE, IPIP, SIT, VXLAN, Geneve, IPsec, MPLS
# requires: nft nstat perl bridge
# timeout: 300

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B, and a1 … a9, c1 in A --- p1 … p9, q1 in B, ports of the bridges below
. "$(dirname "$0")/../lib/lib.sh"
. "$here/drop-rows.sh"

# Loading a tunnel module makes a device in each namespace.
modules_gone() {
	modprobe -r ip_gre ipip sit
}
at_exit wait_for "the end of the modules" modules_gone
two_namespaces
fixed_addresses
for module in bridge bonding ip_gre ipip sit vxlan geneve esp4 ah4 mpls_router; do
	modprobe $module
done
for i in 1 2 3 4 5 6 7 8 9; do
	ip link add a$i netns A address 02:00:00:00:0a:0$i type veth peer name p$i netns B address 02:00:00:00:0b:0$i
	echo "link set a$i up" >>"$OUT/in_a"
	echo "link set p$i up" >>"$OUT/in_b"
done
for address in A B; do
	ip netns exec $address sysctl -q net.ipv6.conf.all.disable_ipv6=1
done
ip -n A -batch "$OUT/in_a"
ip -n B -batch - <<-'BATCH'
	link add br0 type bridge
	link add br1 type bridge vlan_filtering 1
	link add br2 type bridge
	link add br3 type bridge
	link add br4 type bridge
	link set p1 master br0
	link set p2 master br0
	link set p3 master br1
	link set p4 master br1
	link set p5 master br4
	link set p6 master br0
	link set p7 master br2
	link set p8 master br2
	link set p9 master br3
	link set br0 up
	link set br1 up
	link set br2 up
	link set br4 up
	link add bond0 type bond mode active-backup
	link add c0 type veth peer name d0 netns A
	link add c1 type veth peer name d1 netns A
	link set c0 master bond0
	link set c1 master bond0
	link set bond0 type bond primary c0
	link set bond0 up
	link add g1 type gre local 10.9.0.2 remote 10.9.0.1 key 5
	link add g2 type gre local 10.9.0.2 remote 10.9.0.77 icsum
	link add g3 type gre local 10.9.0.2 remote 10.9.0.50 iseq
	link add i1 type ipip local 10.9.0.2 remote 10.9.0.50
	link add vx0 address 02:00:00:00:0c:01 type vxlan id 100 local 10.9.0.2 dstport 4789
	link add ge0 type geneve id 100 remote 10.9.0.1
	link set g1 up
	link set g2 up
	link set g3 up
	link set i1 up
	link set vx0 up
	link set ge0 up
	xfrm policy add dir in src 10.9.0.1 dst 10.9.0.2 proto udp dport 9320 action block
BATCH
ip -n B -batch "$OUT/in_b"
ip -n A link set d0 up
ip -n A link set d1 up
ip -n B link set c0 up
ip -n B link set c1 up
in_b nft -f - <<-'RULES'
	table bridge witness {
		counter bridged { }
		chain first { type filter hook prerouting priority -300; ether type 0x88b6 counter name bridged drop; }
	}
RULES
forwards() {
	in_b sh -c 'cat /sys/class/net/p[1-8]/brport/state' | awk '$1 != 3 { exit 1 }'
}
wait_for "the ports forward" forwards
# A port in the state 1, "listening", refuses frames, as while STP looks for loops.
ip netns exec B bridge -batch - <<-'BATCH'
	link set dev p5 state 1
	link set dev p1 isolated on
	link set dev p2 isolated on
	link set dev p6 locked on learning off
	link set dev p8 flood off mcast_flood off bcast_flood off
	vlan del dev p4 vid 1
	fdb add 02:00:00:00:0a:02 dev p2 master static
	fdb add 02:00:00:00:0a:11 dev p1 master static
BATCH
active() {
	in_b grep -q 'Currently Active Slave: c0' /proc/net/bonding/bond0
}
wait_for "the bond's active device" active
more_witnesses() {
	in_b awk '{ print "B", $1, $2 }' /proc/net/xfrm_stat
}

drops_hold <<'ROWS'
bridge: isolated ports       | a1: eth(0x88b5, "x" x 50, dst => "02:00:00:00:0a:02")       | - | isolated >> isolated on
bridge: back to its port     | a1: eth(0x88b5, "x" x 50, dst => "02:00:00:00:0a:11")       | - | came by that port >> ^[0-9]+: p1:
bridge: VLAN not allowed     | a3: eth(0x8100, pack("nn", 99, 0x88b5) . "x" x 50)          | - | VLAN >> ^p3 +1 PVID
bridge: no PVID              | a4: eth(0x88b5, "x" x 50)                                   | - | VLAN
bridge: STP blocks           | a5: eth(0x88b5, "x" x 50)                                   | - | does not forward >> state (listening|learning|disabled|blocking)
bridge: locked port          | a6: eth(0x88b5, "x" x 50)                                   | - | locked >> locked on
bridge: no flooding          | a7: eth(0x88b5, "x" x 50, dst => "02:00:00:00:ff:01")       | - | no port|no other port >>  flood off
bridge: source multicast     | a1: eth(0x88b5, "x" x 50, src => "03:00:00:00:00:01")       | - | source
bridge: MAC control          | a1: eth(0x8808, "x" x 50, dst => "01:80:c2:00:00:01")       | - | 01:80:c2
bridge: nftables             | a7: eth(0x88b6, "x" x 50)                                   | B bridged | rule with handle >> ether type 0x88b6 .*drop
bridge: it is down           | a9: eth(0x88b5, "x" x 50)                                   | - | does not forward >> state disabled
bond: inactive device        | d1: eth(0x88b5, "x" x 50, dst => "02:00:00:00:ff:02")       | - | bond|handler >> SLAVE.* master bond0
no handler for the protocol  | eth(0x88b5, "x" x 50)                                       | - | no handler
no device for the VLAN       | eth(0x8100, pack("nn", 77, 0x800) . "x" x 50)               | - | VLAN
GRE: other key               | v4(pack("nnN", 0x2000, 0x800, 9) . "x" x 20, proto => 47)   | - | GRE >> g1: .* key 5
GRE: no key                  | v4(pack("nn", 0, 0x800) . "x" x 20, proto => 47)            | - | GRE >> g1: .* key 5
GRE: version 3               | v4(pack("nn", 3, 0x800) . "x" x 20, proto => 47)            | - | GRE
GRE: 2 bytes                 | v4("\0\0", proto => 47)                                     | - | GRE
GRE: checksum                | v4(pack("nnnn", 0x8000, 0x800, 1, 0) . "x" x 20, proto => 47, from => "10.9.0.77", src => $ghost) | - | GRE
GRE: no checksum             | v4(pack("nn", 0, 0x800) . "x" x 20, proto => 47, from => "10.9.0.77", src => $ghost) | - | icsum >> Checksum in received packet is required
GRE: no sequence number      | v4(pack("nn", 0, 0x800) . "x" x 20, proto => 47, from => "10.9.0.50") | - | iseq >> Drop packets out of sequence
IPIP: other endpoint         | v4("x" x 20, proto => 4, from => "10.9.0.51")               | - | IP in IP >> i1: .*remote 10\.9\.0\.50
SIT: other endpoint          | v4("x" x 40, proto => 41, from => "10.9.0.51")              | - | no tunnel device takes it >> i1: .*remote 10\.9\.0\.50
IPIP: cut off                | v4("x" x 10, proto => 4, from => "10.9.0.50")               | - | tunnel
VXLAN: unknown VNI           | v4(udp(4789, pack("CCnN", 8, 0, 0, 999 << 8) . "x" x 30))   | - | no device has its VNI >> vxlan id 100
VXLAN: no VNI                | v4(udp(4789, pack("CCnN", 0, 0, 0, 100 << 8) . "x" x 30))   | - | VXLAN: its header
VXLAN: cut off               | v4(udp(4789, "1234"))                                       | - | .
VXLAN: from itself           | v4(udp(4789, pack("CCnN", 8, 0, 0, 100 << 8) . eth(0x88b5, "x" x 50, src => "02:00:00:00:0c:01"))) | - | address >> 02:00:00:00:0c:01
Geneve: unknown VNI          | v4(udp(6081, pack("nnN", 0, 0x6558, 999 << 8) . "x" x 30))  | - | no device has its VNI >> geneve id 100
Geneve: version 3            | v4(udp(6081, pack("nnN", 0xc000, 0x6558, 100 << 8) . "x" x 30)) | - | version
Geneve: unknown protocol     | v4(udp(6081, pack("nnN", 0, 0x1234, 100 << 8) . "x" x 30))  | - | protocol
IPsec: ESP, unknown SPI      | v4(pack("NN", 0x1234, 1) . "x" x 32, proto => 50)           | B XfrmInNoStates | no state has its SPI >> ^XfrmInNoStates\s+[1-9]
IPsec: AH, unknown SPI       | v4(pack("CCnNN", 17, 4, 0, 0x1234, 1) . "x" x 24, proto => 51) | B XfrmInNoStates | no state has its SPI >> ^XfrmInNoStates\s+[1-9]
IPsec: policy                | v4(udp(9320, "x"))                                          | B XfrmInPolBlock | IPsec policy >> action block
MPLS: unknown label          | eth(0x8847, pack("N", (99 << 12) + 256 + 64) . "x" x 40)    | - | label has no route >> input = 0
ROWS
