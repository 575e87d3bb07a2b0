#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: for a reset by close(), report-skb shows the number of unread bytes: IPv4, IPv6, after a FIN, with urgent data; but not for MPTCP
# requires: perl ss jq
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/resets.sh"

mptcp=
[ ! -e /proc/sys/net/mptcp/enabled ] || mptcp=262
[ ! "$mptcp" ] || in_a sysctl -q net.mptcp.enabled=1
[ ! "$mptcp" ] || in_b sysctl -q net.mptcp.enabled=1
reset_server 6 9030 9031 9032 9033 ${mptcp:+9034:$mptcp}
export mptcp
record_resets 9030-9034 <<'END'
	sub exchange { # PORT FAMILY SEND ORDER: connect, call SEND, and let the server read and close
		my ($port, $family, $send, $order) = @_;
		my $s = to($port, $family, $port == 9034 ? $ENV{mptcp} : 6);
		$send->($s);
		# Wait until the other end has acknowledged all data (SIOCOUTQ).
		do { ioctl($s, 0x5411, my $left = pack("i", 0)); $left = unpack("i", $left) } while $left && select(undef, undef, undef, 0.01) == 0;
		system("ip netns exec B ss -tnH state established state close-wait sport = :$port");
		order($order);
		vec(my $in = "", fileno($s), 1) = 1;
		select($in, undef, undef, 20);
		sysread($s, my $byte, 1); print "$port: $!\n";
	}
	exchange(9030, AF_INET, sub { syswrite($_[0], "x" x 321) }, "read 9030 9");
	exchange(9031, AF_INET6, sub { syswrite($_[0], "x" x 5) }, "read 9031 4");
	exchange(9032, AF_INET, sub { syswrite($_[0], "x" x 100); shutdown($_[0], 1) }, "read 9032 30");
	exchange(9033, AF_INET6, sub { syswrite($_[0], "x" x 10); send($_[0], "u", MSG_OOB); syswrite($_[0], "x" x 10) }, "urgent 9033 3");
	exchange(9034, AF_INET, sub { syswrite($_[0], "x" x 50) }, "read 9034 20") if $ENV{mptcp};
END
cat "$OUT/client.out" "$OUT/read"
explain_resets
# bytes_are PORT SENT: the client sent SENT bytes to PORT, and the server read some of them. Check that
# --why, --packet and the JSON output show the number of the other bytes.
bytes_are() {
	local n number want
	n=$(($2 - $(sed -n "s/^$1 //p" "$OUT/read")))
	want="closed with $n unread byte$([ "$n" = 1 ] || echo s)( |;|$)"
	has "$(grep -EA 1 ":$1 > .*: TCP reset\$" "$OUT/why")" "^    sent by perl-[0-9]+ in \\S+: $want" "port $1 in --why"
	number=$(sed -nE "s/^#([0-9]+) .*:$1 > .*: TCP reset$/\1/p" "$OUT/why")
	has "$(trace-cmd report-skb -i "$OUT/trace.dat" --packet "$number" 2>/dev/null)" "^-- #$number is a TCP reset, .*: $want" "port $1 in --packet"
	is "$(jq -r "select(.what == \"reset\" and .packets[0] == $number) | .unread_bytes" "$OUT/json")" "$n" "port $1 in JSON"
	all=$((all + n))
}
all=0
trace-cmd report-skb -i "$OUT/trace.dat" --why --json >"$OUT/json" 2>/dev/null
bytes_are 9030 321
bytes_are 9031 5
bytes_are 9032 100
bytes_are 9033 21
reset_shows "10.9.0.2:9030 > \\S+" "^TcpExtTCPAbortOnClose +[1-9]"
has "$(cat "$OUT/client.out")" '^(ESTAB +)?321 .*:9030' "the queue that ss shows"
has_not "$(grep -A 1 ':9034 .*: TCP reset$' "$OUT/why")" 'unread byte' "MPTCP: not known"
trace-cmd report-skb -i "$OUT/trace.dat" --summary --json 'tcp portrange 9030-9033' >"$OUT/summary" 2>/dev/null
is "$(jq '.happened[] | select(.what == "reset") | .unread_bytes' "$OUT/summary")" "$all" "the sum in the summary"
has "$(jq -r .finding "$OUT/summary")" "^4 TCP resets .*: closed with unread data.* \\($all unread bytes\\)\\.$" "unread bytes in the finding"
