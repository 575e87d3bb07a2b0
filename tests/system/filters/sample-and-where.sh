#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --sample 1/N records about one of N flows, complete, and the same flows every time; --where compares fields of the packet
# tags: main
# timeout: 240
# requires: nft perl

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
server B 9000

# connections.pl makes 60 connections from known ports, each with a request and an answer.
cat >"$OUT/connections.pl" <<'END'
use Socket qw(:all);
for my $port (20001 .. 20060) {
	socket(my $s, AF_INET, SOCK_STREAM, 0) or die $!;
	setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1) or die $!;
	bind($s, pack_sockaddr_in($port, INADDR_ANY)) or die "$port: $!";
	connect($s, pack_sockaddr_in(9000, inet_aton("10.9.0.2"))) or die "$port: $!";
	send($s, "hello\n", 0) or die "$port: $!";
	shutdown($s, SHUT_WR);
	my $answer = do { local $/; <$s> };
	$answer eq "hello\n" or die "$port: $answer";
}
END
# record OPTION…: record the connections. For each port of the client, write a line with the port and its
# number of packets to $OUT/ports.
record() {
	is "$(status_of trace-cmd record-skb --detail path -o "$OUT/trace.dat" -p 9000 "$@" -- ip netns exec A perl "$OUT/connections.pl")" 0 \
		"recorded with $*"
	trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
	awk -F '"port":' '/"type":"packet"/ { for (i = 2; i <= NF; i++) if ($i + 0 > 20000) n[$i + 0]++ }
		END { for (port in n) print port, n[port] }' "$OUT/json" | sort >"$OUT/ports"
}
record --sample 1/1
is "$(wc -l <"$OUT/ports")" 60 "--sample 1/1: all flows"
cp "$OUT/ports" "$OUT/all"
record --sample 1/4
cat "$OUT/ports"
nr=$(wc -l <"$OUT/ports")
[ "$nr" -ge 3 ] && [ "$nr" -le 35 ] || fail "--sample 1/4 of 60: $nr"
ok "--sample 1/4: $nr flows of 60"
cut -d ' ' -f 1 "$OUT/ports" >"$OUT/first"
# A connection has at least six packets: SYN, SYN-ACK, data of both ends, and a FIN of both ends.
is "$(awk '$2 < 6' "$OUT/ports")" '' "chosen flows with less than six packets, of both directions"
has "$(trace-cmd report-skb -i "$OUT/trace.dat" --summary)" '^sampled: one of 4 flows was recorded' "the summary"
has "$(trace-cmd report-skb -i "$OUT/trace.dat" --summary --json)" '"sample":4[,}]' "its JSON"
record --sample 1/4
is "$(cut -d ' ' -f 1 "$OUT/ports")" "$(cat "$OUT/first")" "the same flows again"

# nftables marks the packets of some ports, and counts them.
in_a nft -f - <<-'END'
	table ip marks {
		counter marked { }
		chain out {
			type filter hook output priority 0;
			tcp sport 20010-20014 meta mark set 0x1207 meta priority set 6 counter name marked
		}
	}
END
record --where 'mark & 0xff == 7 || mark == 0x1207 && priority >= 6'
marked=$(in_a nft list counter ip marks marked | sed -n 's/.*packets \([0-9]*\).*/\1/p')
is "$(awk '{ n += $2 } END { print n }' "$OUT/ports")" "$marked" "--where: as many packets as nftables has marked"
is "$(cut -d ' ' -f 1 "$OUT/ports" | xargs)" "20010 20011 20012 20013 20014" "--where: their ports"
record --where 'protocol == 0x86dd'
is "$(wc -l <"$OUT/ports")" 0 "--where with a field in network byte order: no IPv4"
record --where 'protocol == 0x0800 && len > 0'
is "$(wc -l <"$OUT/ports")" 60 "--where with a field in network byte order: all"

is "$(status_of trace-cmd record-skb --where 'prioritty >= 6' -p 9000 -- true)" 125 "an unknown field"
has "$(cat "$OUT/stderr")" "struct sk_buff of this kernel has no field 'prioritty'" "the message"
is "$(status_of trace-cmd record-skb --sample 4 -p 9000 -- true)" 125 "a wrong rate"
