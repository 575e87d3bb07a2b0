#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --dry-run prints what a recording would do, and does nothing else
# tags: long
# timeout: 120

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
# program_of HEADER: print the filter program in which offsets count from HEADER
program_of() {
	sed -n "/^# program, from the $1 header on$/,/^# / { /^# /!p }" stdout
}

tracing_settings >before
is "$(status_of trace-cmd record-skb --dry-run -p 9000,9100-9200 --proto tcp --host 10.9.0.2 -s 10 -o x.dat -- touch "done")" 0 \
	"--dry-run: exit status"
tracing_settings >after
cmp before after || fail "--dry-run changed tracing"
[ ! -e x.dat ] && [ ! -e "done" ] || fail "--dry-run did something"
unrecorded || fail "--dry-run left something"
shown=$(cat stdout)
has "$shown" 'proto 6 and host 10\.9\.0\.2 and \(port 9000 or portrange 9100-9200\)' "the expression"
# --dry-run must print two different programs. One counts offsets from the network header, and the other one
# from the Ethernet header.
network=$(program_of network)
ethernet=$(program_of Ethernet)
for program in "$network" "$ethernet"; do
	has "$(head -n 1 <<<"$program")" '^\(000\) ' "a program"
	has "$program" 'ret +#(65535|262144|[1-9][0-9]*)$' "which matches something"
done
[ "$network" != "$ethernet" ] || fail "both programs are the same"
# The program must load the bytes at offset 12 of the Ethernet header. SKF_LL_OFF + 12 is -2097140.
has "$ethernet" '^\(000\) ldh +\[-2097140\]$' "the other begins with the type in the Ethernet header"
has "$shown" 'ip_rcv' "the probe points"
has "$shown" 'trace-cmd record .*-p function_graph' "the recorder's command line"
has "$shown" "trace-cmd record .*-s '?10'? .*-o '?x\.dat'?|trace-cmd record .*-o '?x\.dat'? .*-s '?10'?" \
	"the options passed on to trace-cmd"
has "$shown" 'touch.* done' "the command"

is "$(status_of trace-cmd record-skb --dry-run 'ether src 02:00:00:00:00:01')" 0 "a filter for Ethernet only: exit status"
has "$(program_of network)" '^\(none: ' "it says that the program from the network header cannot exist"
has "$(program_of Ethernet)" '^\(000\) ' "the other program exists"
