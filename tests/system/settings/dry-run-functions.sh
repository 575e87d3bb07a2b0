#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --dry-run names the missing probe points and the reasons; its number of functions depends on --detail and on loaded modules
# tags: long
# timeout: 120

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
# missing: print the probe points that --dry-run reports as missing, with the reasons
missing() {
	status_of trace-cmd record-skb --dry-run -p 9000 >/dev/null
	sed -nE 's/^([a-z_0-9]+) .* of argument .*\((not in this kernel|its module is not loaded)\)$/\1 \2/p' stdout
}
# not_here: print the probe points in the output of --dry-run that are not in ftrace's list of functions
not_here() {
	sed -nE 's/^([a-z_0-9]+) +(rx|tx|-) .* of argument .*/\1/p' stdout |
		grep -Fvx -f <(sed 's/[ \t].*//' "$tracing/available_filter_functions")
}
! grep -q '^ipip ' /proc/modules || modprobe -r ipip
said=$(missing)
is "$(cut -d ' ' -f 1 <<<"$said")" "$(not_here)" "the probe points that this kernel lacks"
has "$said" '^ipip_rcv its module is not loaded$' "a module that is not loaded"
# Each kernel has only one of these two functions.
has "$said" '^(gro_receive_skb|napi_gro_receive) not in this kernel$' "a function that this kernel lacks"
modprobe ipip
at_exit modprobe -r ipip
has_not "$(missing)" '^ipip_rcv ' "no such message if the module is loaded"

# The number of selected functions must depend on the options and on the loaded modules.
chosen() {
	trace-cmd record-skb --dry-run --detail "$1" -p 9000 | sed -n 's/^# \([0-9]*\) functions are recorded.*/\1/p'
}
# Unload the module dummy, because another test may have loaded it.
! grep -q '^dummy ' /proc/modules || modprobe -r dummy
before=$(chosen net)
[ "$(chosen path)" -lt $((before / 2)) ] || fail "--detail path has the functions of --detail net"
modprobe dummy
at_exit modprobe -r dummy
[ "$(chosen net)" -gt "$before" ] || fail "the functions of a new module are missing"
modprobe -r dummy
is "$(chosen net)" "$before" "functions, without the module"
