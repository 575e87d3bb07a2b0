#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why tells iptables-legacy and a full conntrack table from nftables, and shows the rule that counted
# requires: iptables-legacy iptables-legacy-save nft
# timeout: 240

. "$(dirname "$0")/lib.sh"

two_namespaces
steps=$(program steps)
in_b iptables-legacy -t raw -A PREROUTING -p udp --dport 9101 -j DROP
in_b nft -f - <<-END
	table inet witness {
		chain in {
			type filter hook prerouting priority -500;
			udp dport 9103 drop
		}
	}
	table ip tracked {
		chain in {
			type filter hook prerouting priority 0;
			ct state established accept
		}
	}
END
# One that stays, and there is room for no other.
background in_b "$steps" listen 9104 accept recv 1 send 1 sleep 1000000
wait_for "a server" listening B 9104
background in_a "$steps" connect 10.9.0.2 9104 send 1 recv 1 sleep 1000000
tracked() {
	[ "$(in_b sysctl -n net.netfilter.nf_conntrack_count)" = 1 ]
}
wait_for "a connection that is tracked" tracked
room=$(sysctl -n net.netfilter.nf_conntrack_max)
at_exit sysctl -q "net.netfilter.nf_conntrack_max=$room"
sysctl -q net.netfilter.nf_conntrack_max=1

trace-cmd record-skb --why -o "$OUT/why.dat" -- ip netns exec A sh -c "
	for port in 9101 9102 9103; do $steps open 10.9.0.2 \$port send 1; done" >"$OUT/printed" 2>"$OUT/said" ||
	fail "$(cat "$OUT/said")"
sysctl -q "net.netfilter.nf_conntrack_max=$room"
nothing_lost "$OUT/said"
trace-cmd report-skb --why -i "$OUT/why.dat" >"$OUT/why" 2>"$OUT/stderr"
cat "$OUT/why"

# why PORT: what is said of the packet to it
why() {
	grep -A 2 "^[^ ].*:$1: dropped" "$OUT/why" || fail "nothing is said of port $1"
}
has "$(why 9101)" 'netfilter: a rule or policy of iptables-legacy$' "who it was"
has "$(why 9101)" 'see: iptables-legacy-save -c ' "and what shows it"
has "$(in_b iptables-legacy-save -c)" '^\[1:[0-9]+\] .*--dport 9101 -j DROP' "which is the rule that has counted it"
has "$(why 9102)" 'netfilter, conntrack: no room in its table' "who it was"
has "$(why 9102)" 'see: sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max' "and what shows it"
has "$(why 9103)" 'netfilter, hook prerouting: table inet witness, chain in: the rule with handle [0-9]+ \(udp dport 9103 drop\)$' "a rule of nftables is one, and what it says"

# A table that is made anew meanwhile has another rule with this handle.
cat >"$OUT/changed" <<-END
	delete table inet witness
	table inet witness {
		chain in {
			type filter hook prerouting priority -500;
			udp dport 9105 accept
		}
	}
END
trace-cmd record-skb --why --detail path -o "$OUT/changed.dat" -- ip netns exec A sh -c "
	$steps open 10.9.0.2 9103 send 1; ip netns exec B nft -f $OUT/changed" >"$OUT/printed" 2>"$OUT/said" ||
	fail "$(cat "$OUT/said")"
trace-cmd report-skb --why -i "$OUT/changed.dat" >"$OUT/why" 2>"$OUT/stderr"
cat "$OUT/why"
has "$(why 9103)" 'the rule with handle [0-9]+ \(rules were changed meanwhile; at the end it was: udp dport 9105 accept\)$' "another rule's text is not its"
has "$(in_b nft -a list table inet witness)" "udp dport 9105 accept # handle $(sed -n 's/.*handle \([0-9]*\).*/\1/p' "$OUT/why" | head -n 1)$" "it has the handle"
[ ! -e /sys/kernel/tracing/instances/record_skb ]
ok "no instance is left"

# An instance of that name which somebody else has is not ours.
mkdir "$tracing/instances/record_skb"
at_exit rmdir "$tracing/instances/record_skb"
trace-cmd record-skb --why --detail path -o "$OUT/changed.dat" -p 9103 -- true >"$OUT/printed" 2>"$OUT/said" || fail "$(cat "$OUT/said")"
[ -d "$tracing/instances/record_skb" ] || fail "somebody else's instance was taken away"
ok "somebody else's instance is left alone"
