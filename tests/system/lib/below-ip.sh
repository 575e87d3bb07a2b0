# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# below-ip.sh - recordings of commands that send packets below IP, with tcpdump as the witness
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

two_namespaces
neighbours_known

number() { grep '"type":"packet"' "$OUT/json" | grep -cE "\"arp\":$1,.*\"what\":\"$2\"" || true; }
record() { # WHAT ARGS…
	trace-cmd record-skb --detail path -o "$OUT/trace.dat" "${@:2}" >"$OUT/said" 2>&1
	trace-cmd report-skb -i "$OUT/trace.dat" --json >"$OUT/json" 2>/dev/null
}
witness() { tcpdump -r "$OUT/A.va.pcap" -nn -t "$1" 2>/dev/null | wc -l; }
