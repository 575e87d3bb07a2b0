#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why names the rule, route, qdisc, limit, table or checksum behind a drop, and its command shows the same cause
# requires: nft tc ethtool socat
# tags: long
# timeout: 600

# Network: as in drops/every-cause, with these namespaces: A (10.9.0.1) va --- vb (10.9.0.2) B

. "$(dirname "$0")/../lib/lib.sh"

# Use the networks, the causes of drops and the traffic of every-cause, but not its checks.
# shellcheck disable=SC1090
. <(sed '/^fates_hold /d' "$here/../drops/every-cause.sh")

# Add routes that refuse the sender's calls, and a chain with the policy to drop.
ip -n A -batch - <<-END
	route add prohibit 10.70.0.0/16
	route add unreachable 10.71.0.0/16
	route add blackhole 10.72.0.0/16
END
in_b nft -f - <<-END
	table ip strict {
		chain forward {
			type filter hook forward priority 10; policy drop;
			udp dport != 9140 accept
		}
	}
END
cat >>"$OUT/send" <<-'END'
	to 10.78.0.1 9140
	for address in 10.70.0.1 10.71.0.1 10.72.0.1 203.0.113.1; do
		echo x | socat -u - "UDP-SENDTO:$address:9141" || :
	done
END

# shown WHERE COMMAND: run COMMAND in the network namespace WHERE, and print its output. If WHERE is empty,
# do not change the namespace.
shown() {
	${1:+ip netns exec "$1"} sh -c "$2" 2>&1
}

# why_says FLOW SAYS [SHOWS]: check each line that matches FLOW. The next line must match SAYS, and the
# output of the suggested command must match SHOWS. SAYS and SHOWS are extended regular expressions. In
# SHOWS, the word "handle" stands for the number of the handle in the line that matches SAYS.
why_says() {
	local flow=$1 says=$2 shows=${3:-} line n=0 text command netns handle
	while read -r line; do
		text=$(sed -n "$((line + 1))p" "$OUT/why")
		grep -Eq -e "$says" <<<"$text" || wrong+=("$flow: \"$text\" is not \"$says\"")
		n=$((n + 1))
		[ -n "$shows" ] || continue
		handle=$(sed -n 's/.*handle \([0-9]*\).*/\1/p' <<<"$text")
		text=$(sed -n "$((line + 2))p" "$OUT/why")
		command=$(sed -n 's/    # in network namespace .*//; s/^    see: //p' <<<"$text")
		netns=$(sed -n 's/.*# in network namespace \(.*\)$/\1/p' <<<"$text")
		[ -n "$command" ] || wrong+=("$flow: no command: $text")
		shown "$netns" "$command" >"$OUT/shown" || :
		grep -Eq -e "${shows//handle/handle $handle\$}" "$OUT/shown" ||
			wrong+=("$flow: \"$command\" does not show \"$shows\": $(cat "$OUT/shown")")
	done < <(grep -nE "^[^ ].*$flow" "$OUT/why" | cut -d: -f1)
	[ "$n" != 0 ] || wrong+=("$flow: not there")
	causes=$((causes + 1))
	ok "$n times: $flow: $says"
}
wrong=()
causes=0

# Check two things: "nft monitor trace" shows only the packets that its own rules select, and nf_tables can be
# unloaded after the recording.
in_b nft -f - <<-END
	table inet witness {
		chain traced {
			type filter hook prerouting priority -500;
			icmp type echo-request meta nftrace set 1
		}
	}
END
in_b stdbuf -oL nft monitor trace >"$OUT/monitor" &
at_exit stop $!
traced() {
	in_a ping -c 1 -W 1 10.9.0.2
	grep -q icmp "$OUT/monitor"
}
wait_for "the monitor of traces" traced
# references: print the reference count of nf_tables. A kernel with nf_tables built in has no such count.
references() {
	[ ! -e /sys/module/nf_tables/refcnt ] || cat /sys/module/nf_tables/refcnt
}
references=$(references)
# shellcheck disable=SC2154 # set by every-cause
trace-cmd record-skb --why --detail path -b "$buffer" -o "$OUT/why.dat" "$expression" -- ip netns exec A bash "$OUT/send" \
	>"$OUT/command.out" 2>"$OUT/said" || fail "$(cat "$OUT/said")"
nothing_lost "$OUT/said"
is "$(references)" "$references" "the reference count of nf_tables is as before"
has_not "$(cat "$OUT/monitor")" 'udp|tcp' "nft monitor trace has printed nothing of ours"
trace-cmd report-skb --why -i "$OUT/why.dat" >"$OUT/why" 2>"$OUT/stderr"
cat "$OUT/why"

# rule HOOK TABLE CHAIN TEXT: print the line by which --why names a netfilter rule and its handle
rule() {
	echo "netfilter, hook $1: table $2, chain $3: the rule with handle [0-9]+ \\($4\\)"
}
why_says 'udp .*:9101: ' "$(rule input 'inet witness' in 'udp dport 9101 .*drop')" 'udp dport 9101 .*drop # handle'
why_says 'udp .*:9108: ' "$(rule input 'inet witness' in 'udp dport 9108 .*drop')" 'udp dport 9108 .*drop # handle'
why_says 'udp .*:9102: ' "$(rule input 'inet witness' in 'udp dport 9102 .*reject.*')" 'udp dport 9102 .*reject.* # handle'
why_says 'udp .*:9103: ' "$(rule prerouting 'inet witness' pre 'udp dport 9103 .*drop')" 'udp dport 9103 .*drop # handle'
why_says 'udp .*:9104: ' "$(rule prerouting 'inet witness' pre 'udp dport 9104 .*drop')" 'udp dport 9104 .*drop # handle'
why_says 'udp .*:9105: ' "$(rule forward 'inet witness' forward 'udp dport 9105 .*drop')" 'udp dport 9105 .*drop # handle'
why_says '[0-9]  udp .*:9106: ' "$(rule output 'inet witness' out 'udp dport 9106 .*drop')" 'udp dport 9106 .*drop # handle'
why_says 'udp .*:9107: ' "$(rule ingress 'netdev witness' ingress 'udp dport 9107 .*drop')" 'udp dport 9107 .*drop # handle'
why_says 'udp .* > 10\.78\.0\.1:9140: ' 'hook forward: table ip strict, chain forward: its policy' 'policy drop'
why_says 'udp .*:9139: ' "$(rule input 'inet witness' in 'udp dport 9139 .*queue.*'): to a queue that no program has, or that is full" 'udp dport 9139 .*queue .*# handle'

# Drops for wrong checksums and missing receivers:
why_says 'udp .*:9110: ' 'its UDP checksum' '^UdpInCsumErrors +[1-9]'
why_says 'tcp .*:9110: ' 'its TCP checksum' '^TcpInCsumErrors +[1-9]'
why_says 'proto 253 ' 'no protocol and no raw socket' '^State'
for flow in 'udp .*:9111: ' 'udp .fd09.*:9112: ' 'tcp .*:9113: dropped' 'tcp .fd09.*:9114: dropped'; do
	why_says "$flow" 'no socket takes it: none has its port, or only for another address, peer or device' '^State'
	# If no socket matches, the command prints only two lines: the title of the list, and a setting for
	# sockets outside of VRFs.
	is "$(wc -l <"$OUT/shown")" 2 "no socket is shown"
done
# The kernel decides how many datagrams fit into the buffer. So the test does not know how many were
# dropped, and compares two counts: the drops that --why lists, and the drops that the socket counted
# itself.
why_says 'udp .*:9115: ' 'receive buffer .*full' "rb4608,.*,d$(awk '/^[^ ]/ { of = /udp .*:9115: /; n += of } of && /^    and [0-9]+ more/ { n += $2 } END { print n + 0 }' "$OUT/why")\\)"

why_says 'udp .*:9138: ' "a BPF filter, of the socket|the socket's classic filter" ',d[1-9]'
why_says 'udp .*:9134: ' 'multicast' '239\.1\.2\.9'

# Drops by routes, and for bad headers:
why_says 'udp .* > 10\.77\.0\.1:9130: ' 'no route to the destination' 'No route to host|unreachable'
why_says 'udp .* > 10\.79\.0\.1:9137: ' 'blackhole' 'Invalid argument|blackhole'
why_says 'udp .* > \[fd77::1\]:9130: ' 'no route to the destination' 'No route to host|unreachable'
why_says 'udp .*:9116: ' 'rp_filter' 'conf\.vb\.rp_filter = 1'
why_says 'udp .* > 10\.78\.0\.1:9117: ' 'TTL had run out' '^IpInHdrErrors +[1-9]'
why_says 'udp .* > \[fd78::1\]:9117: ' 'hop limit had run out' '^Ip6InHdrErrors +[1-9]'
why_says 'udp .* > 10\.78\.0\.1:9118: ' 'MTU' '^IpFragFails +[1-9]'
why_says 'udp .* > \[fd78::1\]:9118: ' 'MTU' '^Ip6InTooBigErrors +[1-9]'
why_says 'udp .* > 10\.9\.0\.99:9119: ' "another host's" 'vb'
why_says 'udp .* > 10\.9\.0\.98:9119: ' 'neighbour did not answer' '10\.9\.0\.98 .*FAILED'

# Drops by devices, queues and programs:
why_says 'udp .*:9120: ' "at the device's ingress" 'dst_port 9120'
why_says 'udp .*:9121: ' "at the device's egress" 'dst_port 9121'
for port in 9122 9123 9124; do
	why_says "udp .*:$port: " 'the queueing discipline' 'dropped [1-9]'
done
why_says 'udp .*:9136: ' 'the device is down' 'state (DOWN|LOWERLAYERDOWN)'
# The guests have no bpftool, so compare the id of the program with that of ip-link(8).
id=$(ip -n B -d link show dev vy | sed -nE 's/.*prog\/xdp id ([0-9]+).*/\1/p')
why_says 'udp .*:9126: ' "XDP program \\(id $id\\) on vy, which returned XDP_DROP"
why_says 'udp .*:9127: ' "the CPU's backlog was full \\([0-9]+ of 3 packets\\)" 'netdev_max_backlog = 3'

# Calls.
why_says 'call udp .*:9106: udp_sendmsg returned -EPERM' 'its packet #[0-9]+ was dropped'
why_says 'call udp .* returned -EACCES' '"prohibit"' 'prohibit|Permission denied'
why_says 'call udp .* returned -EHOSTUNREACH' '"unreachable"' 'No route to host'
why_says 'call udp .* returned -EINVAL' '"blackhole"' 'Invalid argument|blackhole'
why_says 'call udp .* returned -ENETUNREACH' 'no route to the destination' 'Network is unreachable'

has_not "$(cat "$OUT/why")" 'no more than its name' "each drop has a cause, or evidence"
[ ${#wrong[@]} = 0 ] || fail "$(printf '%s\n' "${#wrong[@]} are not as they should be:" "${wrong[@]}")"
[ $causes -ge 40 ] || fail "only $causes causes"
ok "$causes of $causes causes"
