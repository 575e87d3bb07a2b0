#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: for a packet that a chain of tc programs dropped, the report shows the programs in order, and which one dropped the packet
# requires: tc jq
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/hook-programs.sh"

# The chain has two programs. The first one passes all packets on to the second one. Linux 6.1 has no tcx.
hook=tcx-ingress
case $VM_KERNEL in 6.1 | 6.1-rt | debug) hook=tc-ingress ;; esac
begin_programs B $hook vb first -1 9001 fw_main 2 9001
sixteen
is "$(grep -cE "^ +[0-9]+ .*dropped by tc program fw_main \\(id $last\\) on vb" "$OUT/packets")" 8 "$hook: packets that the second program dropped"
is "$(jq -c 'select(.type == "packet") | [.programs[] | .name, .result_name]' "$OUT/json" | sort | uniq -c | tr -s ' ')" \
	' 8 ["first","TC_ACT_UNSPEC","fw_main","TC_ACT_SHOT"]
 8 ["first","TC_ACT_UNSPEC","fw_main","TC_ACT_UNSPEC"]' "$hook: the programs in their order"
end_programs

# tcx takes at most 63 programs. Here the last one of 60 drops the packets. All have been removed before the
# recording is read.
chain=()
for n in $(seq 59); do
	chain+=("pass$n" -1 9001)
done
begin_programs B $hook vb "${chain[@]}" fw_main 2 9001
sixteen
end_programs
trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
is "$(grep -c "dropped by tc program fw_main (id $last) on vb (ingress)\$" "$OUT/packets")" 8 "packets that the last of 60 programs dropped"
is "$(jq -r 'select(.programs) | [.programs[].name] | join(" ")' "$OUT/json" | uniq -c | tr -s ' ')" \
	" 16 $(printf 'pass%d ' $(seq 59))fw_main" "the 60 programs in their order"
