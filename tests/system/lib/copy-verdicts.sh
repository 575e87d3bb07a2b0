# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# copy-verdicts.sh - recordings of packets with copies, and the verdicts of these packets
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

two_namespaces
neighbours_known

# verdicts CONDITION: for each packet whose JSON matches the regular expression CONDITION, print the verdict
# and the number of copies
verdicts() {
	grep '"type":"packet"' "$OUT/json" | grep -E "$1" | sed -nE 's/.*"what":"([a-z]+)".*"copies":([0-9]+).*/\1 \2/p'
}
record() { # ARGS…
	trace-cmd record-skb --detail path -o "$OUT/trace.dat" "$@" >"$OUT/said" 2>&1
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/lines" 2>&1
	trace-cmd report-skb -i "$OUT/trace.dat" --json >"$OUT/json" 2>/dev/null
}
copied_ones() { # each packet that went on as copies has some
	is "$(verdicts . | grep -c '^copied 0$' || true)" 0 "$1: no verdict refers to copies that are not shown"
}
