#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a recording replaces a trace clock that does not count nanoseconds; report-skb shows a file with such a clock in ticks
# tags: long

. "$(dirname "$0")/../lib/lib.sh"

clock_now() {
	sed 's/.*\[\(.*\)\].*/\1/' "$tracing/trace_clock"
}
clock=$(clock_now)
at_exit sh -c "echo $clock >$tracing/trace_clock"
echo counter >"$tracing/trace_clock"
cd "$OUT"
trace-cmd record-skb "${few[@]}" -- ping -q -c 2 -i 0.5 127.0.0.1 >stdout 2>stderr
is "$(clock_now)" counter "the clock is restored"

# ping sent its second request half a second after the first. The recorded times must agree.
trace-cmd report-skb --columns packet,time >table 2>said
awk '$1 == 1 { first = $2 } $1 == 3 { after = $2 - first } END { exit !(after >= 0.4 && after < 60) }' table ||
	fail "the requests were half a second apart: $(cat table)"
ok "half a second is half a second"
has_not "$(cat said)" 'ticks|nanoseconds' "no ticks"
# Make a file like those of earlier versions: change the name of the clock in it. trace-cmd does not
# compress the option with this name, so sed finds it.
LC_ALL=C sed 's/\[local\] global counter/local global [counter]/' trace.dat >counter.dat
! cmp -s trace.dat counter.dat || fail "trace.dat does not name the clock"
trace-cmd report-skb --list -i counter.dat >ticks 2>ticks.said
has "$(cat ticks)" ' [0-9]+ ticks ' "durations in ticks"
has_not "$(cat ticks)" ' [0-9.]+ (ns|us|ms|s) ' "durations in units of time"
has "$(cat ticks.said)" 'does not count nanoseconds' "the message"
has "$(trace-cmd report-skb --json -i counter.dat 2>/dev/null)" '"time_ticks":[0-9]+' "JSON, too"
is "$(status_of trace-cmd report-skb --pcap x.pcap -i counter.dat)" 125 "--pcap is refused, because the times of the day are unknown"
