# SPDX-License-Identifier: GPL-2.0
# What the tests of options that select packets share: traffic of several kinds, and a recording of it.

three_namespaces
traffic=$(program traffic)
background in_b "$traffic" -6 echo 9000 7001
wait_for "the server" listening B 9000
# The router marks what goes to port 7001.
ip netns exec R nft -f - <<END
table inet marks {
	chain way {
		type filter hook forward priority 0;
		tcp dport 7001 meta mark set 0x17
	}
}
END

# Connections of both families to both ports from A, and one to port 9000 from the router; a ping.
cat >"$OUT/command" <<'END'
"$1" talk 10.8.0.2 1 9000 7001 && "$1" talk fd08::2 1 9000 7001 &&
ip netns exec R "$1" talk 10.8.0.2 1 9000 && ping -q -c 1 10.8.0.2 >/dev/null
over 9000 && over 7001
END

# record ARGS…: and read it. An expression that all packets meet, lest the command be followed.
record() {
	in_a trace-cmd record-skb -q -l 'ip_rcv' -l 'tcp_v4_rcv' -l '*_xmit' -o "$OUT/trace.dat" "$@" ip or ip6 -- \
		bash "$OUT/command" "$traffic" 2>"$OUT/said" || fail "$*: $(cat "$OUT/said")"
	read_trace "$OUT/trace.dat"
	# What it is about, whatever else: protocol and ends, of each packet where it was seen first.
	sed -nE 's/.* packet: *#([0-9]+) [^ ]+ ([^ ]+ [^ ]+ [^ ]+ > [^ ]+) .* dev=([^ ]*) netns=([0-9]*) .*/\1 \2 \3 \4/p' \
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

