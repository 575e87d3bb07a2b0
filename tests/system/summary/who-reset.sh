#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb names the task that reset a connection, and the packet that made a call fail; the summary has the same counts as nft
# requires: nft perl
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
neighbours_known
in_b nft -f - <<-'END'
	table inet witness {
		chain in { type filter hook input priority -300; meta l4proto { tcp, udp } counter; udp dport 9003 counter drop; }
		chain out { type filter hook output priority -300; tcp flags & rst == rst counter; meta l4proto tcp counter; }
	}
END
counted() { # CHAIN NUMBER: the NUMBERth counter of the chain
	in_b nft list chain inet witness "$1" | sed -n 's/.*counter packets \([0-9]*\).*/\1/p' | sed -n "$2p"
}
# This server prints its PID. It reads one byte of the ten bytes that the client sends, and closes the
# connection.
cat >"$OUT/server" <<'END'
	use Socket;
	$| = 1;
	socket(S, PF_INET, SOCK_STREAM, 6);
	setsockopt(S, SOL_SOCKET, SO_REUSEADDR, 1);
	bind(S, sockaddr_in(9000, INADDR_ANY));
	listen(S, 5);
	print "$$\n";
	accept(C, S);
	sysread(C, my $byte, 1);
	select(undef, undef, undef, 0.5);
	close(C);
	sleep 1000;
END
background ip netns exec B perl "$OUT/server" >"$OUT/pid"
wait_for "the server" listening B 9000
cat >"$OUT/client" <<'END'
	use Socket;
	socket(C, PF_INET, SOCK_STREAM, 6);
	connect(C, sockaddr_in(9000, inet_aton("10.9.0.2"))) or die;
	syswrite(C, "0123456789");
	sysread(C, my $byte, 1);
	print "read: $!\n";
	# No program listens on this port.
	socket(D, PF_INET, SOCK_STREAM, 6);
	connect(D, sockaddr_in(9001, inet_aton("10.9.0.2"))) or print "connect: $!\n";
	socket(U, PF_INET, SOCK_DGRAM, 17);
	send(U, "x", 0, sockaddr_in(9003, inet_aton("10.9.0.2"))) for 1 .. 3;
END
trace-cmd record-skb -b 8192 -o "$OUT/trace.dat" -p 9000-9003 -- ip netns exec A perl "$OUT/client" >"$OUT/client.out" 2>"$OUT/said"
nothing_lost "$OUT/said"
has "$(cat "$OUT/client.out")" '^read: Connection reset by peer$' "the connection was reset"
has "$(cat "$OUT/client.out")" '^connect: Connection refused$' "the other one was refused"

trace-cmd report-skb -i "$OUT/trace.dat" --why >"$OUT/why" 2>/dev/null
cat "$OUT/why"
resets=$(sed -n 's/^#\([0-9]*\) .*: TCP reset$/\1/p' "$OUT/why")
is "$(wc -l <<<"$resets")" "$(counted out 1)" "as many resets as nft has seen"
has "$(grep -A 1 'tcp 10\.9\.0\.2:9000 > .*: TCP reset$' "$OUT/why")" "^    sent by perl-$(cat "$OUT/pid") in .*: closed with 9 unread bytes " \
	"the server is named, with what it did"
syn=$(trace-cmd report-skb -i "$OUT/trace.dat" --columns packet,flags,flow 2>/dev/null | awk '$2 == "S" && /:9001 *$/ { print $1 }')
has "$(grep -A 1 'tcp 10\.9\.0\.2:9001 > .*: TCP reset$' "$OUT/why")" "^    sent in answer to #$syn: (no socket|the kernel's reason: NO_SOCKET)" "the refused SYN is named"
# shellcheck disable=SC2086
has "$(grep -A 3 'returned -ECONNRESET$' "$OUT/why")" "^    by #$(set -- $resets; echo "$1"), sent by perl-" "the call that failed names the reset"

trace-cmd report-skb -i "$OUT/trace.dat" >"$OUT/summary" 2>"$OUT/stderr"
cat "$OUT/summary"
is "$(awk '$0 == "" { exit } { n++ } END { print n <= 24 }' "$OUT/summary")" 1 "the summary has at most 24 lines"
is "$(awk 'length($0) > 80' "$OUT/summary")" "" "the table has 80 columns"
is "$(sed -nE '1s/.*: ([0-9]+) packets, .*/\1/p' "$OUT/summary")" "$(($(counted in 1) + $(counted out 2)))" "as many packets as nft has seen"
is "$(sed -nE 's/^ +([0-9]+) +#[0-9]+  dropped, NETFILTER_DROP: .*/\1/p' "$OUT/summary")" "$(counted in 2)" "as many drops"
has "$(cat "$OUT/summary")" '^next: trace-cmd report-skb -i .*/trace.dat --why' "the next command"
