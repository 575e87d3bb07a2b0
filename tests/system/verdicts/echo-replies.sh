#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: an echo reply that a ping has received does not count as dropped, but an unexpected echo reply does
# tags: long
# requires: perl ping
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
recorded() { # EXPRESSION COMMAND…: verdicts of echo replies and their copies
	local expression=$1
	shift
	trace-cmd record-skb -b 8192 -o "$OUT/trace.dat" "$expression" -- "$@" >"$OUT/ping" 2>"$OUT/said"
	trace-cmd report-skb -i "$OUT/trace.dat" --why >"$OUT/why" 2>/dev/null
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/table" 2>/dev/null
	cat "$OUT/table" "$OUT/why"
}
# Let root ping by a raw socket, and then another user by a ping socket.
for user in 0 65534; do
	[ $user = 0 ] || in_a sysctl -q net.ipv4.ping_group_range="0 2147483647"
	for address in 10.9.0.2 fd09::2; do
		recorded 'icmp or icmp6' ip netns exec A setpriv --reuid $user --clear-groups ping -c 3 -i 0.3 "$address"
		has "$(cat "$OUT/ping")" '3 received' "ping as user $user has three answers of $address"
		has_not "$(cat "$OUT/why")" 'echo reply' "no reply was dropped"
		is "$(grep -cE '^ *[0-9]+[ !] .*echo reply.*delivered' "$OUT/table")" 3 "all are delivered"
	done
done

# Send an echo reply that no ping expects.
cat >"$OUT/stray" <<-'END'
	use Socket;
	socket(my $s, PF_INET, SOCK_RAW, 1) or die;
	my $p = pack("CCnnn", 0, 0, 0, 77, 1) . "stray...";
	my $sum = 0;
	$sum += $_ for unpack("n*", $p);
	$sum = ($sum >> 16) + ($sum & 0xffff) while $sum >> 16;
	substr($p, 2, 2) = pack("n", ~$sum & 0xffff);
	send($s, $p, 0, sockaddr_in(0, inet_aton("10.9.0.1")));
END
recorded icmp ip netns exec B perl "$OUT/stray"
has "$(cat "$OUT/why")" 'echo reply id 77: dropped in .*NO_SOCKET' "a stray reply is dropped"
