# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# all-traffic.sh - many kinds of traffic. nftables counts the packets of ports 9000 and 9002.
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

for module in nf_conntrack nf_nat vxlan bridge 8021q sctp act_mirred cls_flower sch_fq sch_htb sch_netem; do
	modprobe -q $module || echo "this kernel has no module $module"
done
two_namespaces
traffic=$(program traffic)
echo_server B 9000 7001
background in_b "$traffic" -6 echo 9002
background in_b socat -u UDP-RECV:9005 /dev/null
wait_for "port 9005" udp_listening B 9005
wait_for "the server of IPv6" listening B 9002
for ns in A B; do
	ip netns exec $ns nft -f - <<-END
		table inet witness {
			counter matching { }
			chain in {
				type filter hook input priority 0;
				ct state invalid drop
				tcp dport { 9000, 9002 } counter name matching
				tcp sport { 9000, 9002 } counter name matching
			}
		}
	END
	for kind in fq_codel pfifo; do
		! tc -n $ns qdisc add dev "v$(tr AB ab <<<$ns)" root $kind || break
	done
done

# mix: send many kinds of traffic
mix() {
	in_a "$traffic" talk 10.9.0.2 3 9000 7001
	in_a "$traffic" -6 talk fd09::2 3 9002
	in_a "$traffic" number 10.9.0.2 9005 20 3000
	in_a ping -q -c 1 -s 4000 10.9.0.2
	in_a ping -6 -q -c 1 -s 4000 fd09::2
	ip -n A neighbour flush dev va
	in_a "$traffic" knock 10.9.0.2 9000
	! in_a bash -c 'echo >/dev/tcp/10.9.0.2/9009' 2>&1 || fail "port 9009 has a listener"
	in_a bash -c 'echo >/dev/udp/10.9.0.2/9009'
	in_b timeout 1 tcpdump -q -c 3 -i vb >/dev/null 2>&1 || [ $? = 124 ]
	! socat -u OPEN:/etc/passwd UNIX-SENDTO:"$OUT/nobody" 2>/dev/null || fail "a socket without a reader took a file"
	echo word | socat - UNIX-LISTEN:"$OUT/socket" >/dev/null &
	wait_for "a socket" test -S "$OUT/socket"
	socat -u UNIX-CONNECT:"$OUT/socket" - >/dev/null
	in_b nft list ruleset >/dev/null
	in_b ss -tuna >/dev/null
	wait_for "the end of all connections" over
}

over() { ! in_b ss -Htan state connected | grep -Eq ':900[02] '; }

# counted NAMESPACE: print how many packets of ports 9000 and 9002 nftables counted in NAMESPACE
counted() {
	packets_of "$1" inet witness matching
}

# all_points: print each function that can be a probe point
all_points() {
	trace-cmd record-skb --list-points '*' >"$OUT/listed" 2>"$OUT/rest" || :
	[ -s "$OUT/listed" ] || fail "no function is listed: $(tail -n 1 "$OUT/rest")"
	awk '$2 == "-" { print $1 }' "$OUT/listed" | sort -u
}
