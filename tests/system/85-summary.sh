#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the summary's counts are those of the file
# timeout: 300

. "$(dirname "$0")/lib.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000

# rows FILE: entries that trace-cmd finds in it.
rows() {
	trace-cmd report -R -i "$1" | grep -Ec '^ .*\[[0-9]+\]'
}

# said WHAT: a number of the summary.
said() {
	sed -nE "s/^([0-9]+ entries recorded, )?([0-9]+) $1.*/\2/p" "$OUT/stderr"
}

record() {
	is "$(status_of in_a trace-cmd record-skb -o "$OUT/trace.dat" "$@")" 0 "a recording with $*"
}

record "${few[@]}" -p 9000 -- "$traffic" talk 10.9.0.2 20 9000
is "$(said 'entries recorded')" "$(rows "$OUT/trace.dat")" "entries"
is "$(said lost)" 0 "nothing is lost"
