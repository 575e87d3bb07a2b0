# SPDX-License-Identifier: GPL-2.0
# crowd.sh - a recording that several tests examine. It is made once in each guest.
#
# crowd: record some connections from A to port 9000 of B, among ten times as many connections to other ports.
# The directory $crowd then has these files: trace.dat; said, the recorder's messages; wire.pcap, all packets
# of B's device, captured by tcpdump; counted, the numbers of packets of port 9000 that B and A received,
# counted by nftables.
#
# shellcheck disable=SC2154 # lib.sh or the test sets the other variables.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

crowd=/tmp/crowd
crowd_mine=6
crowd_others="7001 7002 7003 7004 7005 7006 7007 7008 7009 19000"

crowd_witnesses() {
	local ns
	for ns in A B; do
		ip netns exec $ns nft -f - <<-END
			table inet witness {
				counter mine { }
				chain in {
					type filter hook prerouting priority -300;
					tcp dport 9000 counter name mine
					tcp sport 9000 counter name mine
				}
			}
		END
	done
	background ip netns exec B tcpdump -i vb -s 128 -U --immediate-mode -w "$crowd.new/wire.pcap" 2>"$crowd.new/tcpdump"
	tcpdump=$!
	wait_for "tcpdump" grep -q 'listening on' "$crowd.new/tcpdump"
}

crowd_counted() {
	local ns
	for ns in B A; do
		packets_of $ns inet witness mine
	done
}

# crowd_is_over: true if all connections are closed. A connection still sends packets after its client has
# exited.
crowd_is_over() {
	! ip netns exec B ss -Htan state connected | grep ':9000 '
}

crowd() {
	local traffic
	[ ! -e $crowd ] || return 0
	traffic=$(program traffic)
	rm -rf $crowd.new
	mkdir $crowd.new
	two_namespaces
	# shellcheck disable=SC2086
	echo_server B 9000 $crowd_others
	crowd_witnesses
	export -f crowd_is_over
	# shellcheck disable=SC2086
	ip netns exec A trace-cmd record-skb "${few[@]}" -b 16384 -p 9000 -o $crowd.new/trace.dat -- bash -c '
		"$@" && until crowd_is_over; do sleep 0.1; done' talk \
		"$traffic" talk 10.9.0.2 $crowd_mine $crowd_others 9000 2>$crowd.new/said || fail "the recording: $(cat $crowd.new/said)"
	crowd_counted >$crowd.new/counted
	capture_ends $tcpdump
	mv $crowd.new $crowd
}
