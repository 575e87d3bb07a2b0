# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# overlays.sh - tunnels and VLANs over the link of two_namespaces
# shellcheck disable=SC2154 # lib.sh sets the other variables.
#
#    ┌──── A ────┐            ┌──── B ────┐
#    │           │            │           │
#    │  10.9.0.1 va ──────── vb 10.9.0.2  │    two_namespaces
#    │           │            │           │
#    │  10.7.0.1 wg0 ······ wg0 10.7.0.2  │    wireguard
#    │ 10.42.0.1 xa ········ xb 10.42.0.2 │    tunnel
#    │  10.5.0.1 va.5 ···· vb.5 10.5.0.2  │    vlans 5
#    │           │            │           │
#    └───────────┘            └───────────┘

# wireguard: make a tunnel between A and B: wg0 in each, 10.7.0.1 in A and 10.7.0.2 in B.
wireguard() {
	modprobe wireguard
	for ns in A B; do
		ip -n $ns link add wg0 type wireguard
		(umask 077 && wg genkey >"$OUT/$ns.key")
	done
	wireguard_end A 1 B 2
	wireguard_end B 2 A 1
	in_a ping -q -c 1 10.7.0.2 >/dev/null
}
wireguard_end() { # NAMESPACE NUMBER PEER PEER'S-NUMBER
	ip netns exec "$1" wg set wg0 listen-port 51820 private-key "$OUT/$1.key" peer "$(wg pubkey <"$OUT/$3.key")" \
		allowed-ips "10.7.0.$4/32" endpoint "10.9.0.$4:51820"
	ip -n "$1" address add "10.7.0.$2/24" dev wg0
	ip -n "$1" link set wg0 up
}

# tunnel KIND ARGS…: make a tunnel over the link of two_namespaces. A "%" in ARGS means va in A and vb in B. The ends are xa in A with
# 10.42.0.1, and xb in B with 10.42.0.2.
tunnel() {
	local ns n
	for ns in A B; do
		[ $ns = A ] && n=1 || n=2
		ip -n $ns -batch - <<-END
			link add x${ns,} type ${*//%/v${ns,}} local 10.9.0.$n remote 10.9.0.$((3 - n))
			address add 10.42.0.$n/24 dev x${ns,}
			link set x${ns,} up
		END
	done
	wait_for "the tunnel" in_a ping -c 1 -W 1 10.42.0.2
}

# vxlan_on_link ID: make a VXLAN tunnel that is bound to va and vb, so that its MTU leaves space for the outer headers
vxlan_on_link() {
	tunnel vxlan id "$1" dstport 4789 dev %
}

# vlans NUMBER…: make VLAN devices over va and vb. For NUMBER 5, they are va.5 in A with 10.5.0.1, and vb.5 in
# B with 10.5.0.2. With 7@6, the device of VLAN 7 is over the device of VLAN 6.
vlans() {
	local number ns n below
	for number; do
		for ns in A B; do
			[ $ns = A ] && n=1 || n=2
			below=v${ns,}
			[[ $number != *@* ]] || below+=.${number#*@}
			ip -n $ns -batch - <<-END
				link add link $below name v${ns,}.${number%@*} type vlan id ${number%@*}
				address add 10.${number%@*}.0.$n/24 dev v${ns,}.${number%@*}
				link set v${ns,}.${number%@*} up
			END
		done
	done
}
