#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: in an MTU black hole, the finding is the rule that drops the router's ICMP errors, and the suggested command shows this rule
# requires: nft jq perl nstat
# timeout: 200

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B
#          A drops all ICMP errors of the type "destination unreachable"      the MTU of rb and vb is 1300

. "$(dirname "$0")/../lib/lib.sh"
. "$here/finding.sh"

three_namespaces
ip -n R link set rb mtu 1300
ip -n B link set vb mtu 1300
in_a nft -f - <<-'END_OF_RULES'
	table inet firewall {
		chain in { type filter hook input priority 0; icmp type destination-unreachable counter drop; }
	}
END_OF_RULES

# send FILE: record three datagrams of 100 bytes and three of 1400 bytes, which must not be fragmented. The option 10 is
# IP_MTU_DISCOVER, and 2 is IP_PMTUDISC_DO.
send() {
	trace-cmd record-skb --why -o "$OUT/$1" 'host 10.9.0.1' -- ip netns exec A perl -MSocket -e '
		socket(S, PF_INET, SOCK_DGRAM, 0); setsockopt(S, 0, 10, 2);
		for (100, 1400, 100, 1400, 100, 1400) { send(S, "x" x $_, 0, sockaddr_in(9000, inet_aton("10.8.0.2"))); select(undef, undef, undef, 0.2) }' \
		>"$OUT/stdout" 2>"$OUT/said" || fail "the recording: $(cat "$OUT/said")"
	nothing_lost "$OUT/said"
}
background ip netns exec B socat -u UDP-RECV:9000 OPEN:/dev/null
wait_for "a receiver" udp_listening B 9000
fails() { ip netns exec R nstat -asz IpFragFails | awk '/^IpFragFails/ { print $2 }'; }

before=$(fails)
send hole.dat
dropped=$(in_a nft list ruleset | sed -n 's/.*counter packets \([0-9]*\).*/\1/p')
is "$(($(fails) - before)) $dropped" "3 3" "what the router did not fragment, and the errors that nftables has dropped"
has_not "$(in_a ip route get 10.8.0.2)" mtu "the kernel of A did not learn the MTU"
finding_of "$OUT/hole.dat" 'NETFILTER_DROP'
has "$finding" '^The sender does not learn the MTU of the way: 3 of [0-9]+ packets \(#[0-9]+.*\) were dropped, NETFILTER_DROP: .*table inet firewall, chain in: the rule' "the finding"
has "$shown" 'icmp type destination-unreachable counter packets 3 .*drop' "the suggested command shows the rule"
has "$(cat "$OUT/next")" 'the MTU of the way out is 1300, and the packet has 1428 bytes' "the other drops"

# Without the rule, the sender learns the MTU, and the finding must not say otherwise.
in_a nft flush ruleset
send good.dat
has "$(in_a ip route get 10.8.0.2)" 'mtu 1300' "the kernel of A has learnt the MTU"
finding_of "$OUT/good.dat"
has_not "$finding" 'does not learn' "the finding if the errors arrive"
