#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: what is said of children left behind, of no packets, of a damaged module, and where it points to --check
# timeout: 300

. "$(dirname "$0")/lib.sh"

two_namespaces
record() {
	status_of in_a trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" "$@"
}

is "$(record -p 9 -- true)" 0 "no packet"
has "$(cat "$OUT/stderr")" '^0 packets matched' "it says so"
has "$(cat "$OUT/stderr")" "tcpdump -n -i any \"port 9\"" "and what to try"
has_not "$(cat "$OUT/stderr")" 'still run' "and of no children"

# What passed by instead, by the namespace's own counters, and which socket comes near.
ip_of() { # NAMESPACE
	ip netns exec "$1" cat /proc/net/snmp /proc/net/snmp6 | awk '$1 == "Ip:" && $2 ~ /^[0-9]/ { n += $4 + $11 }
		$1 == "Ip6InReceives" || $1 == "Ip6OutRequests" { n += $2 } END { print n }'
}
server B 9000
is "$(record -p 9000 --netns A -- true)" 0 "no packet in a namespace"
has "$(cat "$OUT/stderr")" '^a socket with that port is in network namespace B$' "the nearest miss: another namespace"
before=$(ip_of A)
{
	wait_for "the recording" [ -e "$OUT/going" ]
	in_a socat -u OPEN:/dev/null TCP:10.9.0.2:9000
	in_a ping -q -c 3 -i 0.2 10.9.0.2
	touch "$OUT/done"
} >/dev/null &
is "$(record -p 9001 --host 10.9.0.2 -- sh -c "touch $OUT/going; until [ -e $OUT/done ]; do sleep 0.1; done")" 0 "no packet of a port"
counted=$(sed -n 's/^meanwhile IP had \([0-9]*\) packets here$/\1/p' "$OUT/stderr")
# Six of the pings, six of the connection.
[ "${counted:-0}" -ge 12 ] && [ "$counted" -le $(($(ip_of A) - before)) ] || fail "passed by: $(cat "$OUT/stderr")"
ok "packets that passed by are counted: $counted"
has "$(cat "$OUT/stderr")" "^meanwhile IP had [0-9]+ packets in network namespace B$" "in the other namespace, too"
has "$(cat "$OUT/stderr")" '^no socket of this machine has that host and port now; with that host there is port 9000$' "the nearest miss: another port"

# Where there was nothing but ARP: nobody there has the address that is asked for. The device counts it, too.
ip netns add quiet
at_exit ip netns del quiet
in_quiet() {
	ip netns exec quiet "$@"
}
received() {
	in_quiet cat /sys/class/net/asked/statistics/rx_packets
}
for ns in A quiet; do
	ip netns exec $ns sysctl -q net.ipv6.conf.default.disable_ipv6=1
done
ip -n A link add asks type veth peer name asked netns quiet
ip -n A address add 10.8.0.1/24 dev asks
ip -n A link set asks up
ip -n quiet link set asked up
before=$(received)
is "$(record 'tcp port 9001' -- sh -c 'ping -q -c 1 -W 1 10.8.0.9; until ip neigh show 10.8.0.9 | grep -q FAILED; do sleep 0.1; done')" 0 \
	"a ping of an address that nobody has"
asked=$(($(received) - before))
[ "$asked" -ge 1 ] || fail "nobody asked by ARP"
has "$(cat "$OUT/stderr")" "^devices received $asked in network namespace quiet, none of which IP saw: another protocol, XDP" \
	"what IP did not see is counted"

is "$(record -- sh -c "for i in 1 2; do sleep 1000 & echo \$! >>$OUT/left; done; ping -q -c 1 10.9.0.2")" 0 \
	"a command that leaves children"
has "$(cat "$OUT/stderr")" '^the recording ended with the command; 2 processes that it started still run$' "they are told of"
# shellcheck disable=SC2046 # two words
kill $(cat "$OUT/left")

# A namespace by a name that is also a number, of which there is no process.
ip netns add 99999
at_exit ip netns del 99999
ip -n 99999 link set lo up
is "$(status_of trace-cmd record-skb "${few[@]}" --netns 99999 -o "$OUT/trace.dat" icmp -- \
	ip netns exec 99999 ping -q -c 1 127.0.0.1)" 0 "a namespace whose name is a number"
has "$(cat "$OUT/stderr")" '^2 packets matched' "is the one of that name"

echo function >"$tracing/current_tracer"
at_exit sh -c "echo nop >$tracing/current_tracer"
is "$(record -p 9 -- true)" 125 "a recording then"
has "$(cat "$OUT/stderr")" 'somebody is tracing: .*record-skb --check' "points to --check"
echo nop >"$tracing/current_tracer"

module=$(modinfo -n record_skb)
cp "$module" /tmp/record_skb.saved
at_exit cp /tmp/record_skb.saved "$module"
echo junk >"$module"
is "$(record -p 9 -- true)" 125 "a file that is no module"
has "$(cat "$OUT/stderr")" 'is damaged: it is no kernel module' "it is not called one for another kernel"
