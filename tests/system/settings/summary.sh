#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the recorder's summary has the same counts as the file
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000

# rows FILE: print how many entries trace-cmd finds in FILE
rows() {
	trace-cmd report -R -i "$1" | grep -Ec '^ .*\[[0-9]+\]'
}

# said WHAT: print the number before WHAT in the summary
said() {
	sed -nE "s/^([0-9]+ entries recorded, )?([0-9]+) $1.*/\2/p" "$OUT/stderr"
}

record() {
	is "$(status_of in_a trace-cmd record-skb -o "$OUT/trace.dat" "$@")" 0 "a recording with $*"
}

record "${few[@]}" -p 9000 -- "$traffic" talk 10.9.0.2 20 9000
is "$(said 'entries recorded')" "$(rows "$OUT/trace.dat")" "entries"
is "$(said lost)" 0 "lost entries"

# ping first connects a UDP socket and sends nothing. The flow of this socket has no packet.
record --detail path -- ping -q -c 2 -i 0.2 10.9.0.1
trace-cmd report-skb "$OUT/trace.dat" --flow >"$OUT/flows" 2>"$OUT/report"
is "$(sed -nE 's/.*, ([0-9]+) flows? seen$/\1/p' "$OUT/stderr")" "$(($(wc -l <"$OUT/flows") - 2))" "flows: as many as --flow lists"
is "$(awk 'NR > 1 { for (i = 1; i < NF; i++) if ($i == "id") print $(i + 2), $(i + 3) }' "$OUT/flows")" "2 2" \
	"a ping of one's own address: two there and two back"
