#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: record-skb and each reader count the calls for which function_graph's return stack has no room
# tags: main
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
#          A (10.42.0.1) xa --- xb (10.42.0.2) B, a VXLAN tunnel

. "$(dirname "$0")/../lib/lib.sh"
. "$here/overlays.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000
vxlan_on_link 5

# counted FILE: print how many function calls are missing, as the kernel counts them. The kernel has a
# counter for each task, and function exits show it in the field "overrun". The counter also includes calls
# before the recording. So start from its value in the task's first exit.
counted() {
	without_plugin trace-cmd report -R -i "$1" 2>/dev/null |
		sed -nE 's/^ *(.*-[0-9]+) +\[([0-9]+)\].* funcgraph_exit: .* overrun=([0-9]+) .*/\1 \2 \3/p' | awk '
		{ task = $1 ~ /<idle>/ ? $1 $2 : $1 }
		task in last && $3 > last[task] { sum += $3 - last[task] }
		{ last[task] = $3 }
		END { print sum + 0 }'
}
# announced FILE: after the event of a packet in an open graph, a line of the probe point should follow.
# Count the packets for which the exit of another function follows instead. Either this exit belongs to an
# interrupt, or the line is missing.
announced() {
	without_plugin trace-cmd report -i "$1" 2>/dev/null | awk '
		{ task = $1 $2 }
		/ packet: +#[0-9]+ .* nested$/ { sub(/.* packet: +#[0-9]+ /, ""); waits[task] = $1; next }
		/ funcgraph_exit: / && waits[task] { n++; waits[task] = "" }
		/ funcgraph_entry: / && index($0, " " waits[task] "()") { waits[task] = "" }
		END { print n + 0 }'
}
number() { sed -nE "s/$1/\\1/p" | awk '{ sum += $1 } END { print sum + 0 }'; }

# Make five connections, because a single one may not fill the return stack. The stack is full only if a
# packet arrives inside the calls that send it. On a busy machine, the packet may arrive later.
for detail in net path; do
	file=$OUT/$detail.dat
	trace-cmd record-skb --detail $detail -o "$file" -p 9000 -- ip netns exec A "$traffic" talk 10.42.0.2 5 9000 >"$OUT/said" 2>&1
	calls=$(counted "$file")
	echo "# $detail: $calls calls are missing, $(announced "$file") packets at points have no line"
	is "$(number '.*\(([0-9]+) function calls?: .*' <"$OUT/said")" "$calls" "$detail: record-skb counts as many as the kernel"
	[ "$calls" = 0 ] || has_not "$(cat "$OUT/said")" ', 0 lost' "$detail: and does not say that nothing is lost"
	status=0
	trace-cmd report-skb -i "$file" --json --strict >"$OUT/json" 2>"$OUT/said" || status=$?
	is "$status" "$([ "$calls" = 0 ] && echo 0 || echo 3)" "$detail: --strict"
	is "$(number 'incomplete: ([0-9]+) function calls? .*' <"$OUT/said")" "$calls" "$detail: report-skb counts as many"
	is "$(number '.*"type":"loss",.*"calls":([0-9]+).*' <"$OUT/json")" "$calls" "$detail: --json has as many"
	is "$(trace-cmd report -i "$file" 2>/dev/null | number '.* ([0-9]+) calls? (is|are) missing: .*')" "$calls" \
		"$detail: trace-cmd report marks as many"
	[ "$calls" = 0 ] || has "$(cat "$OUT/json")" '"complete":false' "$detail: packets are marked"
done
[ "$calls" = 0 ] || fail "--detail path lacks calls, too"
[ "$(uname -r | cut -d. -f1-2)" != 6.1 ] || [ "$(counted "$OUT/net.dat")" -gt 0 ] || fail "this kernel's stack has room for all"
