#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if answers come back without passing the NAT, the finding says so instead of "no socket", and the suggested command shows the server's route
# requires: nft jq conntrack nstat
# timeout: 200

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B
#          A (10.7.0.1) vx --------------------------------------- vy (10.7.0.2) B, which sends its answers here

. "$(dirname "$0")/../lib/lib.sh"
. "$here/finding.sh"

three_namespaces
ip link add vx netns A type veth peer name vy netns B
ip -n A address add 10.7.0.1/24 dev vx
ip -n B address add 10.7.0.2/24 dev vy
ip -n A link set vx up
ip -n B link set vy up
for ns in A B; do
	ip netns exec $ns sysctl -q net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0
done
ip netns exec R nft -f - <<-'END_OF_RULES'
	table ip nat {
		chain to { type nat hook prerouting priority -100; ip daddr 10.9.0.254 tcp dport 9000 dnat to 10.8.0.2:8080; }
	}
END_OF_RULES
server B 8080

# record FILE STATUS [EXPRESSION]: record a connection from A to the address of the NAT. STATUS is that of timeout(1).
record() {
	local status=0
	trace-cmd record-skb -o "$OUT/$1" "${3:-tcp and host 10.9.0.1}" -- ip netns exec A \
		timeout 1.5 bash -c ': >/dev/tcp/10.9.0.254/9000' >"$OUT/stdout" 2>"$OUT/said" || status=$?
	is "$status" "$2" "$1: the exit status"
	nothing_lost "$OUT/said"
}

# With the route through the NAT, the connection works.
record good.dat 0
finding_of "$OUT/good.dat"
has_not "$finding" 'NAT|NO_SOCKET' "the finding if the NAT changes the answers back"

ip -n B route add 10.9.0.1/32 via 10.7.0.1 dev vy
resets() { in_a nstat -asz TcpOutRsts | awk '/^TcpOutRsts/ { print $2 }'; }
before=$(resets)
record way.dat 124
resets=$(($(resets) - before))
[ "$resets" -ge 1 ] || fail "A has answered no packet with a reset"
has "$(ip netns exec R conntrack -L -p tcp --orig-dst 10.9.0.254 2>/dev/null)" 'UNREPLIED' "the NAT has not seen the answers"
finding_of "$OUT/way.dat"
has "$finding" "^$resets of [0-9]+ packets \(#[0-9]+, tcp 10\.9\.0\.254:9000\) (was|were) dropped, NO_SOCKET: no socket takes it: NAT had changed the destination of its connection from 10\.9\.0\.254:9000 to 10\.8\.0\.2:8080, and this answer was not changed back: its recorded path does not lead through the NAT again" "the finding"
has "$shown" '10\.9\.0\.1 from 10\.8\.0\.2 via 10\.7\.0\.1 dev vy' "the suggested command shows the route of the answers"

# The recording of another host does not show the NAT. Then the report must not guess.
record alone.dat 124 'src host 10.8.0.2'
finding_of "$OUT/alone.dat"
has "$finding" 'NO_SOCKET: no socket takes it: none has its port' "the finding if the recording does not show the NAT"
