#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the commands that report-skb --why suggests show the cause: socket filters, TCP-MD5, VRFs, policy rules, connected sockets, MTU, forwarding
# requires: perl ss nstat ip
# tags: long
# timeout: 240

#    ┌───── A ─────┐            ┌───── B ─────┐
#    │ 10.9.0.1 va ──────────── vb 10.9.0.2   │   B forwards from here, with a policy rule
#    │ 10.6.0.1 vx ──────────── vy 10.6.0.2   │   vy is in the VRF red
#    │ 10.5.0.1 vm ──────────── vn 10.5.0.2   │   B does not forward from vn; the MTU of vm is 1000
#    └─────────────┘            └─────────────┘
. "$(dirname "$0")/../lib/lib.sh"
. "$here/another-link.sh"
cd "$OUT"
two_namespaces
neighbours_known
another_link vx vy 6
another_link vm vn 5
ip -n A link set vm mtu 1000
ip -n B link add red type vrf table 10
ip -n B link set red up
ip -n B link set vy master red
ip -n A route add 10.77.0.0/16 via 10.9.0.2
ip -n A route add 10.78.0.0/16 via 10.5.0.2
in_b sysctl -q net.ipv4.conf.vb.forwarding=1 net.ipv4.conf.vn.forwarding=0
ip -n B rule add to 10.77.0.0/16 unreachable pref 77

cat >servers <<'END'
	use Socket; $0 = "picky-server";
	sub bound { socket(my $s, PF_INET, $_[0], 0); bind($s, sockaddr_in($_[1], INADDR_ANY)) or die; push @s, $s; $s }
	# Attach a classic BPF program that refuses all packets: ret #0. The option 26 is SO_ATTACH_FILTER.
	my $program = pack("SCCL", 6, 0, 0, 0);
	setsockopt(bound(SOCK_DGRAM, 9001), SOL_SOCKET, 26, pack("Sx6P", 1, $program)) or die "filter: $!";
	# The option 14 is TCP_MD5SIG. struct tcp_md5sig has the address, the length of the key, and the key.
	my $key = pack("a128SSLa80", pack_sockaddr_in(0, inet_aton("10.9.0.1")), 0, 5, 0, "hello");
	my $md5 = bound(SOCK_STREAM, 9002); setsockopt($md5, 6, 14, $key) or die "md5: $!"; listen($md5, 5);
	listen(bound(SOCK_STREAM, 9003), 5); bound(SOCK_DGRAM, 9003);
	connect(bound(SOCK_DGRAM, 9004), sockaddr_in(1, inet_aton("10.9.0.9"))) or die; sleep 1000;
END
background ip netns exec B perl servers
wait_for "the servers" listening B 9003
cat >clients <<'END'
	# The ICMP error of an earlier packet can make a send fail. shows() checks that each packet was dropped.
	to() { echo x 2>/dev/null >"/dev/udp/$1/$2" || :; }
	to 10.9.0.2 9001; to 10.6.0.2 9003; to 10.9.0.2 9004; to 10.77.0.1 9005; to 10.78.0.1 9007
	timeout 1.2 bash -c ': >/dev/tcp/10.9.0.2/9002'
	: 2>/dev/null >/dev/tcp/10.6.0.2/9003
	perl -MSocket -e 'socket(S, PF_INET, SOCK_DGRAM, 0); setsockopt(S, 0, 10, 2); connect(S, sockaddr_in(9008, inet_aton("10.5.0.2"))); send(S, "x" x 1200, 0)'
	ping -q -c 1 10.9.0.2
END
status_of trace-cmd record-skb --why -o cause.dat -- ip netns exec A bash clients >status
nothing_lost stderr
trace-cmd report-skb --why -i cause.dat >why 2>/dev/null
cat why

# shows FLOW PATTERN…: run the command that --why suggests for the packet of FLOW, and check that its output
# matches each PATTERN
shows() {
	local line command ns=A flow=$1
	line=$(grep -E -A 4 -m 1 -e "$flow" why | grep -m 1 '^    see: ') || fail "$flow: no command"
	command=$(sed 's/^    see: //; s/    # in network namespace .*//' <<<"$line")
	[[ $line != *"# in network namespace B" ]] || ns=B
	# Leave out the part of the command that runs bpftool, because the guests do not have it.
	command=${command%; bpftool *}
	ip netns exec "$ns" sh -c "$command" >shown 2>&1 || fail "$flow: \"$command\" fails: $(cat shown)"
	for pattern in "${@:2}"; do
		grep -Eq -e "$pattern" shown || fail "$flow: \"$command\" does not show \"$pattern\": $(cat shown)"
	done
	ok "$flow: $command"
}
shows ':9001: dropped by classic socket filter' 'picky-server' ',d1\)'
shows 'tcp .*:9002: dropped in .*TCP_MD5NOTFOUND' '^TcpExtTCPMD5NotFound +[1-9]'
shows 'udp .*10\.6\.0\.2:9003: dropped in .*NO_SOCKET' '0\.0\.0\.0:9003' 'udp_l3mdev_accept = 0'
shows 'tcp .*10\.6\.0\.2:9003: dropped in .*NO_SOCKET' '0\.0\.0\.0:9003' 'tcp_l3mdev_accept = 0'
shows 'udp .*:9004: dropped in .*NO_SOCKET' '10\.9\.0\.2:9004 +10\.9\.0\.9:1'
shows 'udp .*:9005: dropped' '^77:.* unreachable'
shows 'udp .*:9007: dropped' 'conf\.vn\.forwarding = 0'
shows 'call udp .*:9008.* returned -EMSGSIZE' 'vm.* mtu 1000'
has_not "$(cat why)" 'call icmp' "ping's first attempt to open a socket is not reported"
