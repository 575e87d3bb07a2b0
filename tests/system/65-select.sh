#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: options that select packets: host, src, dst, sport, dport, proto, mark, netns, interface, rx, tx, no-track
# requires: nft
# timeout: 300

. "$(dirname "$0")/lib.sh"
. "$here/tap.sh"

three_namespaces
traffic=$(program traffic)
echo_server B 9000 7001
# The router marks what goes to port 7001.
ip netns exec R nft -f - <<END
table inet marks {
	chain way {
		type filter hook forward priority 0;
		tcp dport 7001 meta mark set 0x17
	}
}
END

# Connections to both ports from A, and one to port 9000 from the router; a ping.
cat >"$OUT/command" <<'END'
"$1" talk 10.8.0.2 1 9000 7001 && ip netns exec R "$1" talk 10.8.0.2 1 9000 && ping -q -c 1 10.8.0.2 >/dev/null
over 9000 && over 7001
END

# record ARGS…: and read it. An expression that all packets meet, lest the command be followed.
record() {
	in_a trace-cmd record-skb -q -l 'ip_rcv' -l 'tcp_v4_rcv' -l '*_xmit' -o "$OUT/trace.dat" "$@" ip or ip6 -- \
		bash "$OUT/command" "$traffic" 2>"$OUT/said" || fail "$*: $(cat "$OUT/said")"
	read_trace "$OUT/trace.dat"
	# What it is about, whatever else: protocol and ends, of each packet where it was seen first.
	sed -nE 's/.* packet: *#([0-9]+) [^ ]+ ([^ ]+) ([^ ]+) ([^ ]+) > ([^ ]+) .* dev=([^ ]*) netns=([0-9]*) .*/\1 \2 \3 \4 > \5 \6 \7/p' \
		"$OUT/report" | awk '!seen[$1]++' >"$OUT/first"
	[ -s "$OUT/first" ] || fail "$*: nothing was recorded"
}
# all PATTERN WHAT: each packet matches; some PATTERN WHAT: one does.
all() {
	has_not "$(grep -Ev -e "$1" "$OUT/first" || :)" . "$2: nothing else"
}
some() {
	has "$(cat "$OUT/first")" "$1" "$2"
}

record --dst 10.8.0.2 --dport 9000
all ' tcp [0-9.]+:[0-9]+ > 10\.8\.0\.2:9000 ' "--dst and --dport"
some ' 10\.9\.0\.1:[0-9]+ > ' "--dport from A"
some ' 10\.8\.0\.254:[0-9]+ > ' "--dport from R"

record --src 10.8.0.0/24 --sport 7000-7999
all ' tcp 10\.8\.0\.2:7001 > 10\.9\.0\.1:[0-9]+ ' "--src of a network and --sport of a range"

record --host 10.9.0.1 --proto icmp
all ' icmp 10\.(9\.0\.1|8\.0\.2):0 > 10\.(9\.0\.1|8\.0\.2):0 ' "--host and --proto"
is "$(wc -l <"$OUT/first")" 2 "a request and a reply"

record --mark 0x10/0xf0
all ' tcp 10\.9\.0\.1:[0-9]+ > 10\.8\.0\.2:7001 ' "--mark with a mask"
has_not "$(cat "$OUT/first")" ' va ' "--mark: not before it was set"

record --netns B -p 9000
all " $(stat -Lc %i /run/netns/B)\$" "--netns by name"
some ' > 10\.8\.0\.2:9000 vb ' "what arrives there"
some ' 10\.8\.0\.2:9000 > [0-9.:]+ vb ' "what leaves there"

record --rx -p 9000
is "$(grep ' packet: ' "$OUT/report" | grep -vc ' rx ')" 0 "--rx: where they are sent, none"
record --tx --no-track -p 9000
is "$(grep ' packet: ' "$OUT/report" | grep -vc ' tx ')" 0 "--tx: where they are received, none"
# Judged at each point anew, it has another number each time.
is "$(grep -c ' packet: ' "$OUT/report")" "$(wc -l <"$OUT/first")" \
	"--no-track: a number for each time it is seen"

# Every namespace has a lo, and it has the same index everywhere.
is "$(status_of trace-cmd record-skb -l ip_rcv -o "$OUT/trace.dat" -i lo icmp -- bash -c '
	ping -q -c 1 127.0.0.1 && ip netns exec A ping -q -c 1 127.0.0.1')" 0 "-i lo"
read_trace "$OUT/trace.dat"
only " icmp 127\.0\.0\.1:0 > 127\.0\.0\.1:0 .* dev=lo netns=$(stat -Lc %i /proc/self/ns/net) "
is "$(numbers_at ip_rcv | wc -l)" 2 "-i lo: a request and a reply"
