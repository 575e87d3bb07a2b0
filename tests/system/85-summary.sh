#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the summary's counts are those of the file, with an instance, with losses and without
# timeout: 300

. "$(dirname "$0")/lib.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000

# rows FILE: entries that trace-cmd finds in it, of all buffers.
rows() {
	trace-cmd report -R -i "$1" | grep -Ec '^ .*\[[0-9]+\]'
}

# missed FILE: entries that trace-cmd says are missing in it.
missed() {
	trace-cmd report -R -i "$1" | sed -nE 's/.*\[([0-9]+) EVENTS DROPPED\].*/\1/p' | awk '{ n += $1 } END { print n + 0 }'
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

record "${few[@]}" -B other -e sched -p 9000 -- "$traffic" talk 10.9.0.2 20 9000
is "$(said 'entries recorded')" "$(rows "$OUT/trace.dat")" "entries, with those of an instance"

# The buffers are so small that trace-cmd's recorders come too late.
record --detail net -b 8 -p 9000 -- "$traffic" talk 10.9.0.2 300 9000
is "$(said 'entries recorded')" "$(rows "$OUT/trace.dat")" "entries, where some were lost"
[ "$(said lost)" -gt 0 ] || fail "nothing was lost: $(cat "$OUT/stderr")"
[ "$(said lost)" -ge "$(missed "$OUT/trace.dat")" ] || fail "more is missing in the file than the summary says"
ok "losses: $(said lost)"
