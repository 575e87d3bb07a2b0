# SPDX-License-Identifier: GPL-2.0
# select.sh - shared by the tests of options that select packets: several kinds of traffic, and a recording of
# it

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

three_namespaces
traffic=$(program traffic)
background in_b "$traffic" -6 echo 9000 7001
wait_for "the server" listening B 9000
# The router marks packets to port 7001.
ip netns exec R nft -f - <<END
table inet marks {
	chain way {
		type filter hook forward priority 0;
		tcp dport 7001 meta mark set 0x17
	}
}
END

# A makes connections to both ports over IPv4 and IPv6, and pings. The router makes connections to port 9000.
cat >"$OUT/command" <<'END'
"$1" talk 10.8.0.2 1 9000 7001 && "$1" talk fd08::2 1 9000 7001 &&
ip netns exec R "$1" talk 10.8.0.2 1 9000 && ping -q -c 1 10.8.0.2 >/dev/null
over 9000 && over 7001
END

# record ARGS…: record, and read the trace. The expression "ip or ip6" matches every packet. Without an
# expression, record-skb would follow the command instead.
record() {
	in_a trace-cmd record-skb -q -l 'ip_rcv' -l 'tcp_v4_rcv' -l '*_xmit' -o "$OUT/trace.dat" "$@" ip or ip6 -- \
		bash "$OUT/command" "$traffic" 2>"$OUT/said" || fail "$*: $(cat "$OUT/said")"
	read_trace "$OUT/trace.dat"
	# Print a line for each packet: its protocol, addresses, ports, device and namespace at its first
	# event.
	sed -nE 's/.* packet: *#([0-9]+) [^ ]+ ([^ ]+ [^ ]+ [^ ]+ > [^ ]+) .* dev=([^ ]*) netns=([0-9]*) .*/\1 \2 \3 \4/p' \
		"$OUT/report" | awk '!seen[$1]++' >"$OUT/first"
	[ -s "$OUT/first" ] || fail "$*: nothing was recorded"
}
# all PATTERN WHAT: check that each packet matches PATTERN
# some PATTERN WHAT: check that at least one packet matches PATTERN
all() {
	has_not "$(grep -Ev -e "$1" "$OUT/first" || :)" . "$2: other packets"
}
some() {
	has "$(cat "$OUT/first")" "$1" "$2"
}

