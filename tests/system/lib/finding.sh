# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# finding.sh - get the finding of a recording, and run the commands that it suggests
#
# shellcheck disable=SC2034 # tests use the variables

# finding_of FILE [PATTERN]: set $finding to the finding of the recording, and $shown to the output of the
# suggested command on the recorded machine. If the next command shows several causes, take the command below the
# line that matches PATTERN.
finding_of() {
	local next see ns
	trace-cmd report-skb --summary --json -i "$1" >"$OUT/summary.json" 2>"$OUT/stderr" || fail "$(cat "$OUT/stderr")"
	finding=$(jq -r .finding "$OUT/summary.json")
	next=$(jq -r .next "$OUT/summary.json")
	sh -c "$next" >"$OUT/next" 2>"$OUT/stderr" || fail "$next: $(cat "$OUT/stderr")"
	see=$(sed -n "/${2:-^}/"',$s/^ *see: //p' "$OUT/next" | head -n 1)
	ns=${see##*\# in network namespace }
	shown=
	# Some commands show the cause by failing: ip route get, for example. The tests compare the output.
	[ -z "$see" ] || shown=$(ip netns exec "$ns" sh -c "${see%    \# in network*}" 2>&1) || :
	printf '%s\n' "$finding" "next: $next" "see: $see" "$shown"
}

# conntrack_counter NAMESPACE NAME: print a counter of conntrack -S, for all CPUs together
conntrack_counter() {
	ip netns exec "$1" conntrack -S | grep -oE "\\b$2=[0-9]+" | awk -F = '{ n += $2 } END { print n + 0 }'
}
