#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --diff of recordings with few and with many nftables rules names the step and the function that became slower
# requires: nft perl

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
neighbours_known
in_b nft add table ip t
in_b nft add chain ip t in '{ type filter hook input priority 0; }'
in_b nft add rule ip t in udp dport 9001 counter

cat >"$OUT/exchange.pl" <<'END'
use Socket; use POSIX "uname";
socket(my $b, PF_INET, SOCK_DGRAM, 17); socket(my $s, PF_INET, SOCK_DGRAM, 17);
bind($b, sockaddr_in(9001, INADDR_ANY)) or die "$!";
open(my $ns, "<", "/run/netns/A") or die "$!"; syscall((uname)[4] eq "aarch64" ? 268 : 308, fileno($ns), 0x40000000) == 0 or die "$!";
socket($s, PF_INET, SOCK_DGRAM, 17);
for (1 .. 100) { send($s, "x", 0, sockaddr_in(9001, inet_aton("10.9.0.2"))) or die "$!"; recv($b, my $got, 9, 0) }
END
# record NAME: record 100 datagrams in $OUT/NAME.dat
record() {
	trace-cmd record-skb -p 9001 -o "$OUT/$1.dat" -- ip netns exec B perl "$OUT/exchange.pl" >"$OUT/said" 2>&1 ||
		fail "$1: $(cat "$OUT/said")"
	nothing_lost "$OUT/said"
}
record few
for _ in {1..300}; do echo "insert rule ip t in udp dport 1 drop"; done >"$OUT/rules"
in_b nft -f "$OUT/rules"
record many
is "$(in_b nft list chain ip t in | sed -nE 's/.*counter packets ([0-9]+) .*/\1/p')" 200 "the rules counted all datagrams"

# compared BEFORE AFTER: compare two recordings by --diff
compared() {
	trace-cmd report-skb "$OUT/$1.dat" --diff "$OUT/$2.dat" >"$OUT/diff" 2>"$OUT/said" || fail "$(cat "$OUT/said")"
	head -n 20 "$OUT/diff"
}
compared few many
has "$(head -n 1 "$OUT/diff")" '^protocol -> socket queue is [0-9.]+ [um]s slower \(± .*\), of which .* in nft_' "more rules"
compared many few
has "$(head -n 1 "$OUT/diff")" '^protocol -> socket queue is [0-9.]+ [um]s faster \(± .*\), of which .* in nft_' "fewer rules"
