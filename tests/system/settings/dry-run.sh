#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --dry-run prints what a recording would do and does nothing; contradicting options are refused
# tags: long
# timeout: 120

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
# program_of HEADER: print the lines of the filter program that begins at this header
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
# Two different programs, one that begins at the network header and one at the Ethernet header.
network=$(program_of network)
ethernet=$(program_of Ethernet)
for program in "$network" "$ethernet"; do
	has "$(head -n 1 <<<"$program")" '^\(000\) ' "a program"
	has "$program" 'ret +#(65535|262144|[1-9][0-9]*)$' "which matches something"
done
[ "$network" != "$ethernet" ] || fail "both programs are the same"
# -2097140 is twelve bytes behind SKF_LL_OFF.
has "$ethernet" '^\(000\) ldh +\[-2097140\]$' "the other begins with the type in the Ethernet header"
has "$shown" 'ip_rcv' "the probe points"
has "$shown" 'trace-cmd record .*-p function_graph' "the recorder's command line"
has "$shown" "trace-cmd record .*-s '?10'? .*-o '?x\.dat'?|trace-cmd record .*-o '?x\.dat'? .*-s '?10'?" \
	"the options passed on to trace-cmd"
has "$shown" 'touch.* done' "and the command"

is "$(status_of trace-cmd record-skb --dry-run 'ether src 02:00:00:00:00:01')" 0 "of Ethernet only: exit status"
has "$(program_of network)" '^\(none: ' "it says that the program from the network header cannot exist"
has "$(program_of Ethernet)" '^\(000\) ' "the other program exists"

# missing: print the probe points reported as missing, and the reasons
missing() {
	status_of trace-cmd record-skb --dry-run -p 9000 >/dev/null
	sed -nE 's/^([a-z_0-9]+) .* of argument .*\((not in this kernel|its module is not loaded)\)$/\1 \2/p' stdout
}
# not_here: print the probe points that ftrace does not know
not_here() {
	sed -nE 's/^([a-z_0-9]+) +(rx|tx|-) .* of argument .*/\1/p' stdout |
		grep -Fvx -f <(sed 's/[ \t].*//' "$tracing/available_filter_functions")
}
! grep -q '^ipip ' /proc/modules || modprobe -r ipip
said=$(missing)
is "$(cut -d ' ' -f 1 <<<"$said")" "$(not_here)" "the probe points that this kernel lacks"
has "$said" '^ipip_rcv its module is not loaded$' "a module that is not loaded"
# A kernel has one of these names at a time.
has "$said" '^(gro_receive_skb|napi_gro_receive) not in this kernel$' "a function that this kernel lacks"
modprobe ipip
at_exit modprobe -r ipip
has_not "$(missing)" '^ipip_rcv ' "not, when the module is there"

# The selection of functions follows the options and the modules.
chosen() {
	trace-cmd record-skb --dry-run --detail "$1" -p 9000 | sed -n 's/^# \([0-9]*\) functions are recorded.*/\1/p'
}
# Another test may have loaded it.
! grep -q '^dummy ' /proc/modules || modprobe -r dummy
before=$(chosen net)
[ "$(chosen path)" -lt $((before / 2)) ] || fail "--detail path has the functions of --detail net"
modprobe dummy
at_exit modprobe -r dummy
[ "$(chosen net)" -gt "$before" ] || fail "the functions of a new module are missing"
modprobe -r dummy
is "$(chosen net)" "$before" "functions, without the module"

# refused PATTERN ARGS…: check that the options are refused
refused() {
	local pattern=$1
	shift
	is "$(status_of trace-cmd record-skb "$@")" 125 "refused: $*"
	has "$(cat stderr)" "$pattern" "and why"
	is "$(wc -l <stderr)" 1 "in one line"
	[ ! -e "done" ] || fail "the command ran"
	unrecorded || fail "$*: something is left"
}
refused 'the wrong way round' -p 9100-9000 -- touch "done"
refused 'no packet can match' --proto tcp 'udp' -- touch "done"
refused 'not a mark' --mark red -- touch "done"
refused 'matches no packet' --mark 0x20/0x10 -- touch "done"
refused "the interface .nosuch0. does not exist" -i lo -i nosuch0 -- touch "done"
refused "the network namespace .123456789. does not exist" --netns 123456789 -- touch "done"
refused "the network namespace .4026499999. does not exist" --netns 4026499999 -- touch "done"
refused 'not a detail' --detail much -- touch "done"
refused 'given twice' --detail net --detail path -- touch "done"
refused 'needs a command' --user nobody -p 9000
refused 'needs a command' --cpu 0 -p 9000
refused 'nothing to record' -s 10
