#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: after GRO has merged the data of an skb, the driver may reuse the skb (napi_reuse_skb), which is then recorded as the next packet
# requires: tcpdump
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"

two_namespaces
insmod "$(made_on_host wire.ko)"
at_exit rmmod wire
parameters=/sys/module/wire/parameters
[ -w $parameters/gather ] || fail "the wire does not gather"
n=0
for ns in A B; do
	n=$((n + 1))
	ip link set wire$((n - 1)) netns $ns
	at_exit ip -n $ns link set wire$((n - 1)) netns 1
	ip -n $ns address add 10.8.0.$n/24 dev wire$((n - 1))
	ip -n $ns link set wire$((n - 1)) up
done
echo_server B 9000
# Some segments stay on the wire for a while. TCP must not retransmit them in the meantime.
ip -n A route change 10.8.0.0/24 dev wire0 src 10.8.0.1 rto_min 60s
in_a sysctl -qw net.ipv4.tcp_early_retrans=0

# Five segments stay on the wire and then arrive in one poll. The server sends all five back.
cat >"$OUT/command" <<-'END'
	under_way() { ss -Htin dport = :9000 | grep -q " unacked:5 "; }
	exec 3<>/dev/tcp/10.8.0.2/9000
	echo begin >&3 && read -r _ <&3
	echo 1 >"$1/keep"
	dd bs=$((5 * 1448)) count=1 if=/dev/zero status=none >&3
	until under_way; do sleep 0.1; done
	echo 1 >"$1/gather"
	head -c $((5 * 1448)) <&3 | cmp - <(head -c $((5 * 1448)) /dev/zero)
END
tap A wire0
trace-cmd record-skb --detail path -g inet_gro_receive -b 8192 -o "$OUT/trace.dat" -p 9000 -- \
	ip netns exec A bash -e "$OUT/command" "$parameters" >"$OUT/said" 2>&1 || fail "$(cat "$OUT/said")"
taps_end
nothing_lost "$OUT/said"
read_trace "$OUT/trace.dat"
only ':9000 '

tapped A wire0 'dst port 9000' | grep ' len 1500$' >"$OUT/tapped"
seen_by inet_gro_receive | grep ' len 1500$' >"$OUT/seen"
is "$(wc -l <"$OUT/tapped")" 5 "full segments that tcpdump saw leave"
diff "$OUT/tapped" "$OUT/seen" >&2 || fail "the packets that GRO got (>) differ from those that were sent (<)"
is "$(numbers_at inet_gro_receive 'len=1500' | wc -l)" 5 "packets that GRO was given"
merged=$(numbers_at ip_rcv 'wire1.*len=[0-9]{4,5} ' | wc -l)
[ "$merged" -lt 5 ] || fail "GRO merged nothing"
ok "GRO made $merged of them"
