#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: no line has a wrong annotation in a foreign recording, a recording with another instance, or a report of two recordings
# tags: slow
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
# Record the probe points and one function of a driver.
few=(-l veth_xmit)
two_namespaces
echo_server B 9000 7001
traffic=$(program traffic)

in_a trace-cmd record -p function_graph -l ip_rcv -o plain.dat ping -q -c 1 10.9.0.2 >said 2>&1 || fail "$(cat said)"
trace-cmd report -i plain.dat >plain.report 2>&1
is "$(grep -c 'funcgraph_entry: .* ip_rcv()' plain.report)" 2 "a recording of trace-cmd's own"
has_not "$(cat plain.report)" '/\*' "annotations"
is "$(status_of trace-cmd report-skb --list -i plain.dat)" 125 "report-skb of it: exit status"
has "$(cat stderr)" "^trace-cmd report-skb: 'plain.dat' was not recorded by trace-cmd record-skb: it has no record_skb events" \
	"the message"
is "$(wc -l <stderr)" 1 "in one line"
is "$(cat stdout)" "" "no other line"

# record NAME PORT ARGS…: open connections to two ports, and record only the connection to PORT. Make the
# files NAME.dat, NAME.report and NAME.raw.
record() {
	in_a trace-cmd record-skb "${few[@]}" -o "$1.dat" -p "$2" "${@:3}" -- "$traffic" talk 10.9.0.2 2 9000 7001 2>said ||
		fail "$1: $(cat said)"
	nothing_lost said
	owners "$1.dat"
	mv raw "$1.raw"
	mv report "$1.report"
}
# annotations FILE: print how many lines of FILE have an annotation
annotations() {
	grep -c ' /\* .* \*/$' "$1"
}

# Lines from the other instance must not have annotations that name a packet.
record instance 9000 -B other -e sched:sched_switch
has "$(cat instance.report)" '^ *other: .*sched_switch: ' "the instance is in the report"
has_not "$(grep '^ *other:' instance.report)" '/\*' "annotations of its lines"
is "$(grep -v '^ *other:' instance.report | annotations /dev/stdin)" "$(annotations instance.report)" \
	"all that is, is the packets'"
has "$(cat instance.report)" "$(line_of tcp_v4_rcv '#1 tcp 10.9.0.1:* > 10.9.0.2:9000')" \
	"as without an instance"

# A report of two recordings must print the same lines as two separate reports.
record first 9000
record second 7001
begins() {
	sed -nE '/ wall_clock: /d; /.*\[[0-9]+\].* ([0-9]+\.[0-9]+): .*/ { s//\1/p; q }' "$1.report"
}
later=$(awk -v first="$(begins first)" -v second="$(begins second)" 'BEGIN { printf "%.0f", (first - second) * 1e9 }')
trace-cmd report -i first.dat -i second.dat --ts-offset "$later" >both 2>&1
# of NAME: print the lines of NAME.dat that the common report of both recordings has, without their times
of() {
	grep -E "^ *$1.dat: .*\[[0-9]+\]" both | sed -E "s/^ *$1.dat: *//; s/ +[0-9]+\.[0-9]+: / /"
}
alone() {
	sed -nE '/\[[0-9]+\]/ { s/^ *//; s/ +[0-9]+\.[0-9]+: / /; p }' "$1.report"
}
[ "$(sed -nE 's/^ *(first|second)\.dat:.*/\1/p' both | uniq | wc -l)" -gt 4 ] || fail "the two do not take turns"
for name in first second; do
	diff <(alone $name) <(of $name) >&2 || fail "$name: its lines (>) differ from those of its own report (<)"
	ok "$name: $(of $name | annotations /dev/stdin) lines are annotated, as in its own report"
done
