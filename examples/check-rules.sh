#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Test the rules of a router, for instance in CI: check that wanted packets pass, and that a rule drops the
# others.
#
#     sudo examples/check-rules.sh RULES          a file for "nft -f", loaded in the router
#
#   client 10.8.1.2 ── west router east ── 10.8.2.2 server       three network namespaces, removed at the end
#
# The exit status is 0 if all assertions are true, and 4 if one is false. If an assertion is false, the script
# names the packet, and then the rules that dropped packets. In a workflow:
#
#     steps:
#     - uses: actions/checkout@v4
#     - run: make && sudo make install
#     - run: sudo examples/check-rules.sh router.nft
set -eu

if [ $# != 1 ]; then
	echo "usage: $0 RULES" >&2
	exit 2
fi
work=$(mktemp -d)
n=$$

cleanup() {
	for ns in client router server; do
		ip netns pids "$ns$n" | xargs -r kill || :
		ip netns del "$ns$n" || :
	done
	rm -r "$work"
}
trap cleanup EXIT

at() {
	local ns=$1$n
	shift
	ip netns exec "$ns" "$@"
}

for ns in client router server; do
	ip netns add "$ns$n"
	ip -n "$ns$n" link set lo up
done
ip link add eth0 netns client$n type veth peer name west netns router$n
ip link add eth0 netns server$n type veth peer name east netns router$n
for end in "client 10.8.1.2 eth0" "router 10.8.1.1 west" "router 10.8.2.1 east" "server 10.8.2.2 eth0"; do
	read -r ns address device <<<"$end"
	ip -n "$ns$n" addr add "$address/24" dev "$device"
	ip -n "$ns$n" link set "$device" up
done
ip -n client$n route add default via 10.8.1.1
ip -n server$n route add default via 10.8.2.1
at router sysctl -qw net.ipv4.ip_forward=1
at router nft -f "$1"

# The server answers on port 80, which the rules must allow, and on port 23, which they must block. Thus only
# the rules can stop a connection to port 23.
for port in 80 23; do
	at server socat "TCP-LISTEN:$port,fork,reuseaddr" EXEC:cat &
	until [ -n "$(at server ss -Hltn "sport = :$port")" ]; do sleep 0.1; done
done

cat >"$work/traffic" <<END
echo hello | timeout 5 socat -t 2 - TCP:10.8.2.2:80
echo hello | timeout 2 socat -t 2 - TCP:10.8.2.2:23,connect-timeout=1
:
END
trace-cmd record-skb --detail path --why -q -o "$work/trace.dat" -- ip netns exec client$n bash "$work/traffic" >/dev/null

# check EXPRESSION ASSERTION…: check the packets that EXPRESSION selects
status=0
check() {
	local expression=$1 assertion args=()
	shift
	for assertion; do args+=(--assert "$assertion"); done
	trace-cmd report-skb -i "$work/trace.dat" "${args[@]}" "$expression" 2>"$work/err" || status=$?
	[ $status -le 4 ] || cat "$work/err" >&2
}

check 'tcp port 80' 'reason[NETFILTER_DROP] == 0' 'unanswered == 0' 'verdict[delivered] >= 2' 'p99(requests) < 2s'
check 'tcp dst port 80' 'path ~ "eth0 > west > east > eth0"'
check 'tcp dst port 23' 'reason[NETFILTER_DROP] >= 1' 'verdict[delivered] == 0' 'path !~ "west > east"'
[ $status = 0 ] || trace-cmd report-skb -i "$work/trace.dat" --why 2>/dev/null
exit $status
