# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# drop-rows.sh - tables of drops, each caused by a handmade frame (see frames.pl and drop-rows.pl)
#
# shellcheck disable=SC2154 # lib.sh sets the variables.
# A test makes its networks, defines witnesses, and ends with "drops_hold <<'END'" and its rows.

# witnesses: print "NAMESPACE NAME NUMBER" for each counter of nstat and nft in A and B, and the output of
# more_witnesses
witnesses() {
	local ns
	for ns in A B; do
		ip netns exec $ns sh -c "nstat -asz; nft list counters 2>/dev/null" | awk -v ns=$ns '
			$1 == "counter" { name = $2 }
			$1 == "packets" { print ns, name, $2 }
			NF == 3 && $1 ~ /^[A-Z]/ && $2 ~ /^[0-9]+$/ { print ns, $1, $2 }'
	done
	more_witnesses
}
more_witnesses() {
	:
}

# fixed_addresses: use the link-layer addresses of frames.pl for the devices of two_namespaces, and add
# permanent neighbours to B
fixed_addresses() {
	ip -n A link set va address 02:00:00:00:09:01
	ip -n B link set vb address 02:00:00:00:09:02
	neighbours_known
	ip -n B neighbour replace 10.9.0.77 dev vb lladdr 02:00:00:00:00:77 nud permanent
	ip -n B neighbour replace fd09::1 dev vb lladdr 02:00:00:00:09:01 nud permanent
}

# commands_work: run each command that report-skb --why prints, in the namespace that it names. The command
# must succeed and print something. If it prints counters, at least one of them must not be zero.
commands_work() {
	local command namespace wrong=0 number=0
	trace-cmd report-skb --why -i "$OUT/drops.dat" 2>"$OUT/stderr" | sed -n 's/^    see: //p' | sort -u >"$OUT/commands"
	while IFS= read -r command; do
		namespace=$(sed -nE 's/.*# in network namespace ([AB])$/\1/p' <<<"$command")
		command=${command%    \# in network namespace *}
		# Leave out the part of the command that runs bpftool, because the guests do not have it.
		command=${command%; bpftool *}
		number=$((number + 1))
		if ! ip netns exec "${namespace:-B}" sh -c "$command" >"$OUT/shown" 2>&1 || [ ! -s "$OUT/shown" ]; then
			echo "WRONG: ${namespace:-B}: $command: $(cat "$OUT/shown")"
			wrong=1
		elif ! counted "$command" <"$OUT/shown"; then
			echo "WRONG: ${namespace:-B}: $command: no counter has counted: $(cat "$OUT/shown")"
			wrong=1
		fi
	done <"$OUT/commands"
	[ "$number" -gt 0 ] && [ $wrong = 0 ] || fail "not all commands show the cause"
	ok "$number commands work"
}

# commands_show: some rows end with ">> PATTERN". Run the command that report-skb --why suggests for such a
# row. Its output must match the extended regular expression PATTERN, which describes the cause.
commands_show() {
	local namespace pattern command name wrong=0 number=0
	while IFS=$'\t' read -r namespace pattern command name; do
		[ "$namespace" != - ] || namespace=B
		number=$((number + 1))
		ip netns exec "$namespace" sh -c "$command" >"$OUT/shown" 2>&1 || :
		grep -Eq -e "$pattern" "$OUT/shown" && continue
		echo "WRONG: $name: \"$command\" does not show \"$pattern\": $(cat "$OUT/shown")"
		wrong=1
	done <"$OUT/shows"
	[ $wrong = 0 ] || fail "not all commands show the cause"
	ok "$number commands show the cause"
}

# counted COMMAND: read the output of COMMAND from standard input. True if COMMAND prints no counters, or if
# a counter is not zero.
counted() {
	case $1 in
	nstat*) awk 'NF == 3 && $2 + 0 > 0 { n++ } END { exit !n }' ;;
	"tc -s"*) grep -Eq '(dropped|Sent [0-9]+ bytes) [1-9]|dropped [1-9]|[1-9][0-9]* pkt' ;;
	"ip -s -s link"*) awk '/errors +dropped|errors.*crc|errors.*aborted/ { wait = 1; next }
		wait { wait = 0; for (i = 3; i <= NF; i++) n += $i } END { exit !n }' ;;
	esac
}

# drops_hold: read rows from standard input. Send and record the frame of each row, and check its verdict.
# If a row begins with "!KERNEL ", leave it out when the test runs on that kernel.
drops_hold() {
	sed "/^!$VM_KERNEL /d; s/^![^ ]* //" >"$OUT/rows"
	witnesses >"$OUT/before"
	trace-cmd record-skb --why -C mono -b 8192 -o "$OUT/drops.dat" --netns A 'greater 1' -- \
		ip netns exec A perl "$here/frames.pl" "$OUT/rows" "$OUT/sent" >"$OUT/command.out" 2>"$OUT/said" ||
		fail "$(cat "$OUT/said" "$OUT/command.out")"
	witnesses >"$OUT/after"
	nothing_lost "$OUT/said"
	trace-cmd report-skb --json -i "$OUT/drops.dat" >"$OUT/packets" 2>"$OUT/stderr"
	trace-cmd report-skb --why --json -i "$OUT/drops.dat" >"$OUT/why" 2>"$OUT/stderr"
	perl "$here/drop-rows.pl" "$OUT/rows" "$OUT/sent" "$OUT/packets" "$OUT/why" "$OUT/before" "$OUT/after" "$OUT/shows" || fail "not all rows hold"
	commands_work
	commands_show
}
