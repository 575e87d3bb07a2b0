# SPDX-License-Identifier: GPL-2.0
# resets.sh - a server and clients for tests of TCP resets
# shellcheck disable=SC2154 # lib.sh sets the variables.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

two_namespaces
neighbours_known

# input_rules [RULE]: make the chain "in" of B for incoming packets, to which a client can add rules
input_rules() {
	in_b nft "add table inet rules; add chain inet rules in { type filter hook input priority 0; }; ${1:+add rule inet rules in $1}"
}

# reset_server FAMILY PORT[:PROTOCOL]…: run reset-server.pl in B. Its orders are written to file descriptor 8, and its
# output is in $OUT/read.
reset_server() {
	local last=${*: -1}
	mkfifo "$OUT/orders"
	ip netns exec B perl "$here/reset-server.pl" "$@" <"$OUT/orders" >"$OUT/read" &
	at_exit stop $!
	exec 8>"$OUT/orders"
	wait_for "the server" listening B "${last%:*}"
}

# record_resets PORTS: record a client, which comes from stdin. Its output goes to $OUT/client.out.
record_resets() {
	cat "$here/reset-client.pl" - >"$OUT/client"
	trace-cmd record-skb -b 8192 -o "$OUT/trace.dat" -p "$1" -- \
		ip netns exec A perl "$OUT/client" >"$OUT/client.out" 2>"$OUT/said"
	nothing_lost "$OUT/said"
}

# explain_resets: write what --why says to $OUT/why
explain_resets() {
	trace-cmd report-skb -i "$OUT/trace.dat" --why >"$OUT/why" 2>/dev/null
	cat "$OUT/why"
}

# reset_shows FLOW PATTERN: run the command that --why suggests for the reset with this flow, in the namespace that the line
# names. The output of the command must match PATTERN.
reset_shows() {
	local line command
	line=$(grep -EA 2 "tcp $1: TCP reset\$" "$OUT/why" | grep -m 1 '^    see: ') || fail "$1: no command"
	command=$(sed 's/^    see: //; s/    # in network namespace .*//' <<<"$line")
	has "$(ip netns exec "${line##* }" sh -c "$command")" "$2" "$1: $command"
}
