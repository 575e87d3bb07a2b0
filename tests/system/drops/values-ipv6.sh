#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why shows how full the queue of an IPv6 neighbour was, even if an IPv4 route has this neighbour as its next hop
# requires: perl
# tags: slow
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
. "$(dirname "$0")/../lib/lib.sh"
. "$here/why-says.sh"

cd "$OUT"
two_namespaces
neighbours_known
in_a sysctl -q net.ipv6.neigh.va.unres_qlen_bytes=4000
ip -n A route add 10.55.0.0/16 via inet6 fd09::98 dev va
# No host has fd09::98 or fd09::99, so the packets wait in the queues of these neighbours.
cat >client <<'END'
	use Socket qw(:all);
	socket(my $s, PF_INET6, SOCK_DGRAM, 17);
	send($s, "x" x 600, 0, sockaddr_in6(9105, inet_pton(AF_INET6, "fd09::99"))) for 1 .. 8;
	socket(my $v, PF_INET, SOCK_DGRAM, 17);
	send($v, "x" x 600, 0, sockaddr_in(9106, inet_aton("10.55.0.1"))) for 1 .. 8;
END
# discards: print how many packets the queues of neighbours discarded. /proc has a line for each CPU, with
# hexadecimal numbers.
discards() {
	awk 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "unresolved_discards") column = i; next } { print $column }' \
		/proc/net/stat/ndisc_cache | while read -r n; do echo $((0x$n)); done | awk '{ n += $1 } END { print n }'
}
before=$(discards)
trace-cmd record-skb -b 8192 -o values.dat -p 9105-9106 -- ip netns exec A perl client >out 2>said || fail "$(cat said)"
counted=$(($(discards) - before))
nothing_lost said
trace-cmd report-skb -i values.dat --why >why 2>/dev/null
trace-cmd report-skb -i values.dat --json >json 2>/dev/null
cat why
is "$(grep -c '"reason":"NEIGH_QUEUEFULL"' json)" "$counted" "each drop of a full queue is one that the kernel counts"
[ "$counted" -ge 4 ] || fail "the queues were not full: $counted"
says ':9105: dropped in .*NEIGH_QUEUEFULL' 'queue on va was full \([1-9][0-9]* of 4000 bytes'
says ':9106: dropped in .*NEIGH_QUEUEFULL' 'queue on va was full \([1-9][0-9]* of 4000 bytes'
