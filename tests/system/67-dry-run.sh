#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --dry-run shows all that would be done and does nothing; options that contradict each other are refused
# timeout: 120

. "$(dirname "$0")/lib.sh"

cd "$OUT"
# program_of HEADER: the lines of the one that begins there
program_of() {
	sed -n "/^# program, from the $1 header on$/,/^# / { /^# /!p }" stdout
}

tracing_settings >before
is "$(status_of trace-cmd record-skb --dry-run -p 9000,9100-9200 --proto tcp --host 10.9.0.2 -m 10 -o x.dat -- touch "done")" 0 \
	"--dry-run: exit status"
tracing_settings >after
cmp before after || fail "--dry-run changed tracing"
[ ! -e x.dat ] && [ ! -e "done" ] || fail "--dry-run did something"
unrecorded || fail "--dry-run left something"
shown=$(cat stdout)
has "$shown" 'proto 6 and host 10\.9\.0\.2 and \(port 9000 or portrange 9100-9200\)' "the expression"
# One from the network header on and one from the Ethernet header on, which are not the same.
network=$(program_of network)
ethernet=$(program_of Ethernet)
for program in "$network" "$ethernet"; do
	has "$(head -n 1 <<<"$program")" '^\(000\) ' "a program"
	has "$program" 'ret +#(65535|262144|[1-9][0-9]*)$' "which matches something"
done
[ "$network" != "$ethernet" ] || fail "both programs are the same"
# Twelve bytes behind SKF_LL_OFF.
has "$ethernet" '^\(000\) ldh +\[-2097140\]$' "the other begins with the type in the Ethernet header"
has "$shown" 'ip_rcv' "the probe points"
has "$shown" 'trace-cmd record .*-p function_graph' "the recorder's command line"
has "$shown" "trace-cmd record .*-m '?10'? .*-o '?x\.dat'?|trace-cmd record .*-o '?x\.dat'? .*-m '?10'?" \
	"what is handed on to it"
has "$shown" 'touch.* done' "and the command"

is "$(status_of trace-cmd record-skb --dry-run 'ether src 02:00:00:00:00:01')" 0 "of Ethernet only: exit status"
has "$(program_of network)" '^\(none: ' "what cannot be said of IP alone is said"
has "$(program_of Ethernet)" '^\(000\) ' "and there is the other program"

# missing: the probe points that are said to be so, and how
missing() {
	status_of trace-cmd record-skb --dry-run -p 9000 >/dev/null
	sed -nE 's/^([a-z_0-9]+) .* of argument .*\((not in this kernel|its module is not loaded)\)$/\1 \2/p' stdout
}
# not_here: those that ftrace does not know
not_here() {
	sed -nE 's/^([a-z_0-9]+) +(rx|tx|-) .* of argument .*/\1/p' stdout |
		grep -Fvx -f <(sed 's/[ \t].*//' "$tracing/available_filter_functions")
}
! grep -q '^ipip ' /proc/modules || modprobe -r ipip
said=$(missing)
is "$(cut -d ' ' -f 1 <<<"$said")" "$(not_here)" "the probe points that this kernel has not"
has "$said" '^ipip_rcv its module is not loaded$' "for want of a module"
# It has had one of these names at a time.
has "$said" '^(gro_receive_skb|napi_gro_receive) not in this kernel$' "or at all"
modprobe ipip
at_exit modprobe -r ipip
has_not "$(missing)" '^ipip_rcv ' "not, when the module is there"

# What was chosen is kept, as long as it is the same question and the same modules.
chosen() {
	trace-cmd record-skb --dry-run --detail "$1" -p 9000 | sed -n 's/^# \([0-9]*\) functions are recorded.*/\1/p'
}
# Another test may have left it.
! grep -q '^dummy ' /proc/modules || modprobe -r dummy
rm -f /run/record_skb.*
anew=$(chosen net)
is "$(chosen net)" "$anew" "functions, chosen and kept"
sed -i '/^ip_rcv$/d' /run/record_skb.choice
is "$(chosen net)" $((anew - 1)) "what was kept is used"
[ "$(chosen path)" -lt $((anew / 2)) ] || fail "--detail path has those of --detail net"
is "$(chosen net)" "$anew" "of another question it is not"
modprobe dummy
at_exit modprobe -r dummy
[ "$(chosen net)" -gt "$anew" ] || fail "a module that came is not in it"
modprobe -r dummy
is "$(chosen net)" "$anew" "functions, without the module"

# refused PATTERN ARGS…
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
refused "no interface .nosuch0." -i lo -i nosuch0 -- touch "done"
refused "there is no network namespace .123456789." --netns 123456789 -- touch "done"
refused "there is no network namespace .4026499999." --netns 4026499999 -- touch "done"
refused 'not a detail' --detail much -- touch "done"
refused 'given twice' --detail net --detail path -- touch "done"
refused '--detail full' --detail full --module veth -- touch "done"
refused 'take one' -o x.dat -N host:1234 -- touch "done"
refused 'needs a command' --user nobody -p 9000
refused 'needs a command' --cpu 0 -p 9000
refused 'nothing to record' -m 10
