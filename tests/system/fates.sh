# SPDX-License-Identifier: GPL-2.0
# A table of fates: what became of packets, as the kernel's own counters know it, and as trace-cmd report-skb says it.
#
# A test of fates sets up its networks, writes its rows, and ends with fates_hold. A row is
#
#   fate NAME FLOW VERDICT COUNTER [VERDICT COUNTER]…
#
# FLOW       an extended regular expression for "PROTOCOL SOURCE:PORT > DESTINATION:PORT": the packets of this row;
#            with " copy" behind it, their copies, the first among them
# VERDICT    the same for "WHAT", "dropped REASON", "sent DEVICE" or "forwarded DEVICE"; all of it has to match
# COUNTER    a command that prints how often this has happened, ever: a witness which is not ours
#
# The traffic is sent and recorded with each --detail of $details. Of the row's packets, there have to be as many of
# each VERDICT as its COUNTER has counted meanwhile. Where the recording cannot know, a packet may be "unknown", never
# anything else: with 'net' and 'path', and, with "unknown_in DETAIL…" after the row, with these, too.
#
# "wrong_today WHERE…" after a row says where report-skb is known to be wrong: DETAIL or KERNEL/DETAIL. Such a
# row has to fail; as soon as it holds, the test fails until the mark is removed.
# shellcheck disable=SC2154 # What is not set here, lib.sh or the test has.

details=${details:-full net path}
fate_names=()
fate_flows=()
fate_verdicts=()	# lines "VERDICT<tab>COUNTER"
fate_unknown=()
fate_wrong=()
expression=		# what is recorded
buffer=16384

fate() {
	local name=$1 flow=$2 lines=
	shift 2
	while [ $# -gt 0 ]; do
		lines+=$1$'\t'$2$'\n'
		shift 2
	done
	fate_names+=("$name")
	fate_flows+=("$flow")
	fate_verdicts+=("$lines")
	fate_unknown+=("net path")
	fate_wrong+=("")
}

unknown_in() {
	fate_unknown[-1]+=" $*"
}

wrong_today() {
	fate_wrong[-1]+=" $*"
}

# Witnesses -----------------------------------------------------------------------------------------------------

# nft_count NAMESPACE COUNTER: of the table "witness"
nft_count() {
	ip netns exec "$1" nft list counter inet witness "$2" | sed -n 's/.*packets \([0-9]*\).*/\1/p'
}

# mib NAMESPACE NAME: one of the kernel's counters, as nstat names them; those of IPv6 begin with Ip6, Udp6, Icmp6.
mib() {
	ip netns exec "$1" nstat -asz "$2" | awk -v name="$2" '$1 == name { print $2 }'
}

# qdisc_dropped NAMESPACE DEVICE HANDLE: by this queueing discipline
qdisc_dropped() {
	ip netns exec "$1" tc -s qdisc show dev "$2" |
		awk -v handle="$3" '/^qdisc/ { at = $3 == handle } at && match($0, /dropped [0-9]+/) {
			print substr($0, RSTART + 8, RLENGTH - 8) }'
}

# qdisc_waiting NAMESPACE DEVICE HANDLE: packets in it
qdisc_waiting() {
	ip netns exec "$1" tc -s qdisc show dev "$2" |
		awk -v handle="$3" '/^qdisc/ { at = $3 == handle } at && match($0, /b [0-9]+p/) {
			print substr($0, RSTART + 2, RLENGTH - 3) }'
}

# tc_acted NAMESPACE DEVICE SIDE PREF: packets that the filter's action has had
tc_acted() {
	ip netns exec "$1" tc -s filter show dev "$2" "$3" pref "$4" |
		awk 'match($0, /pkt/) { sub(/.*bytes /, ""); print $1 + 0; exit }'
}

# sent_on NAMESPACE DEVICE, received_on NAMESPACE DEVICE
sent_on() {
	ip netns exec "$1" cat "/sys/class/net/$2/statistics/tx_packets"
}
received_on() {
	ip netns exec "$1" cat "/sys/class/net/$2/statistics/rx_packets"
}

# hex_column COLUMN FILE: the sum over all CPUs, a line each, of a column by its number or by its name in the first line
hex_column() {
	awk -v column="$1" -f "$here/rows.awk" -f /dev/stdin "$2" <<-'END'
		NR == 1 && column !~ /^[0-9]+$/ {
			for (at = 1; $at != column; at++)
				;
			next
		}
		{ sum += hex($(at ? at : column)) }
		END { print sum }
	END
}

# lines_of FILE: a program's own log of what it got
lines_of() {
	wc -l <"$1"
}

# listener NAMESPACE ADDRESS LOG: socat's, writes a line for each packet into LOG
listener() {
	: >"$3"
	background ip netns exec "$1" socat -u "$2" "OPEN:$3,append"
}

# Judging -------------------------------------------------------------------------------------------------------

# fates_told TRACE: a line for each packet of the recording, "FLOW<tab>VERDICT"
fates_told() {
	trace-cmd report-skb --json -i "$1" | awk -f "$here/fates.awk"
}

# fates_count: what every COUNTER says now
fates_count() {
	local i verdict counter
	for i in "${!fate_names[@]}"; do
		while IFS=$'\t' read -r verdict counter; do
			[ -z "$verdict" ] || eval "$counter" || fail "${fate_names[i]}: the counter of \"$verdict\""
		done <<<"${fate_verdicts[i]}"
	done
}

# marked LIST DETAIL
marked() {
	case " $1 " in
	*" $2 "* | *" $VM_KERNEL/$2 "*) return 0 ;;
	esac
	return 1
}

# row_is_wrong ROW DETAIL COUNTS…: judge a row by how often each of its verdicts was counted; prints what is wrong.
row_is_wrong() {
	local row=$1 detail=$2 verdict counter
	shift 2
	awk -F '\t' -v flow="${fate_flows[row]}" '
		$1 ~ flow && ($1 ~ / copy$/) == (flow ~ / copy\$$/) { print $2 }' "$OUT/fates" >"$OUT/row"
	while IFS=$'\t' read -r verdict counter; do
		[ -n "$verdict" ] || continue
		printf '%s\t%s\n' "$1" "$verdict"
		shift
	done <<<"${fate_verdicts[row]}" >"$OUT/row.wanted"
	awk -F '\t' -v "unknown=$(marked "${fate_unknown[row]}" "$detail" && echo 1)" '
		FNR == NR { count[++n] = $1; verdict[n] = $2; all += $1; next }
		{
			got++
			for (i = 1; i <= n; i++) {
				if ($0 ~ "^(" verdict[i] ")$") {
					seen[i]++
					next
				}
			}
			if ($0 == "unknown" && unknown)
				unknowns++
			else
				others[$0]++
		}
		END {
			if (!all)
				wrong = wrong "; nothing of it happened"
			if (got != all)
				wrong = wrong "; " got + 0 " packets of " all
			for (i = 1; i <= n; i++) {
				if (seen[i] > count[i] || (seen[i] < count[i] && !unknowns))
					wrong = wrong "; " seen[i] + 0 " of " count[i] " \"" verdict[i] "\""
			}
			for (text in others)
				wrong = wrong "; " others[text] " \"" text "\""
			if (!wrong && unknowns)
				print unknowns " of " all " unknown" > "/dev/stderr"
			print substr(wrong, 3)
		}' "$OUT/row.wanted" "$OUT/row" 2>"$OUT/row.unknown"
}

# fates_judge DETAIL: every row, with what was counted before and after
fates_judge() {
	local detail=$1 row n=0 i wrong counts before after
	mapfile -t before <"$OUT/before"
	mapfile -t after <"$OUT/after"
	for row in "${!fate_names[@]}"; do
		counts=()
		for ((i = $(grep -c . <<<"${fate_verdicts[row]}"); i > 0; i--)); do
			counts+=($((after[n] - before[n])))
			n=$((n + 1))
		done
		wrong=$(row_is_wrong "$row" "$detail" "${counts[@]}")
		if ! marked "${fate_wrong[row]}" "$detail"; then
			[ -z "$wrong" ] || fates_failed+=("$detail: ${fate_names[row]}: $wrong")
			[ -n "$wrong" ] || ok "$detail: ${fate_names[row]}: ${counts[*]} $(cat "$OUT/row.unknown")"
		elif [ -n "$wrong" ]; then
			ok "$detail: ${fate_names[row]}: known to be wrong: $wrong"
		else
			fates_failed+=("$detail: ${fate_names[row]}: it is right now; take wrong_today away")
		fi
	done
}

# fates_hold COMMAND…: record COMMAND with each detail, and judge all rows.
fates_hold() {
	local detail
	fates_failed=()
	for detail in $details; do
		fates_count >"$OUT/before"
		trace-cmd record-skb --detail "$detail" -b "$buffer" -o "$OUT/$detail.dat" "$expression" -- "$@" \
			>"$OUT/command.out" 2>"$OUT/said" || fail "$detail: $(cat "$OUT/said")"
		fates_count >"$OUT/after"
		nothing_lost "$OUT/said"
		fates_told "$OUT/$detail.dat" >"$OUT/fates"
		cp "$OUT/fates" "$OUT/fates.$detail"
		fates_judge "$detail"
	done
	[ ${#fates_failed[@]} = 0 ] || fail "$(printf '%s\n' "${#fates_failed[@]} rows do not hold:" "${fates_failed[@]}")"
}
