# SPDX-License-Identifier: GPL-2.0
# fates.sh - a table of packets, and what happened to them by the kernel's own counters and by trace-cmd
# report-skb
#
# A test sets up its networks, writes its rows, and ends with fates_hold. A row is
#
#     fate NAME FLOW VERDICT COUNTER [VERDICT COUNTER]…
#
# FLOW       an extended regular expression for "PROTOCOL SOURCE:PORT > DESTINATION:PORT". It selects the
#            packets of this row. With " copy" at its end, it selects the copies of these packets, including
#            the first one.
# VERDICT    an extended regular expression for the whole of "WHAT", "dropped REASON", "sent DEVICE" or
#            "forwarded DEVICE"
# COUNTER    a command that prints how often this has happened since the boot. It is a witness independent of
#            record-skb.
#
# The traffic is sent and recorded with each level in $details. Each VERDICT must occur as often as COUNTER
# has counted during the recording. With the levels net and path, and with levels after "unknown_in DETAIL…"
# below a row, packets may also have the verdict "unknown". They must never have a wrong verdict.
#
# "wrong_today WHERE…" below a row marks a known fault of report-skb. WHERE is DETAIL or KERNEL/DETAIL. Such a
# row must fail. As soon as the row passes, the test fails until the mark is removed.
#
# shellcheck disable=SC2154 # lib.sh or the test sets the other variables.

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

# counters_look: read all counters of nft and nstat at once in each namespace, because starting a process
# takes long in an emulated guest
declare -A counters
counters_look() {
	local ns name n
	counters=()
	for ns in $(ip netns list | cut -d " " -f 1); do
		while read -r name n; do
			counters["$ns $name"]=$n
		done < <(ip netns exec "$ns" sh -c "nstat -asz; nft list counters" | awk '
			$1 == "counter" { name = $2 }
			$1 == "packets" { print name, $2 }
			NF == 3 && $1 ~ /^[A-Z]/ && $2 ~ /^[0-9]+$/ { print $1, $2 }')
	done
}

# nft_count NAMESPACE COUNTER: print a named counter of nft. Its name must begin with a small letter, so that
# it differs from the names of nstat.
nft_count() {
	echo "${counters[$1 $2]}"
}

# mib NAMESPACE NAME: print a counter of the kernel by its name in nstat. The names for IPv6 begin with Ip6,
# Udp6 or Icmp6.
mib() {
	echo "${counters[$1 $2]}"
}

# qdisc_dropped NAMESPACE DEVICE HANDLE: print how many packets a queueing discipline has dropped
qdisc_dropped() {
	ip netns exec "$1" tc -s qdisc show dev "$2" |
		awk -v handle="$3" '/^qdisc/ { at = $3 == handle } at && match($0, /dropped [0-9]+/) {
			print substr($0, RSTART + 8, RLENGTH - 8) }'
}

# qdisc_waiting NAMESPACE DEVICE HANDLE: print how many packets wait in a queueing discipline
qdisc_waiting() {
	ip netns exec "$1" tc -s qdisc show dev "$2" |
		awk -v handle="$3" '/^qdisc/ { at = $3 == handle } at && match($0, /b [0-9]+p/) {
			print substr($0, RSTART + 2, RLENGTH - 3) }'
}

# tc_acted NAMESPACE DEVICE SIDE PREF: print how many packets the action of a tc filter has handled
tc_acted() {
	ip netns exec "$1" tc -s filter show dev "$2" "$3" pref "$4" |
		awk 'match($0, /pkt/) { sub(/.*bytes /, ""); print $1 + 0; exit }'
}

# sent_on NAMESPACE DEVICE: print how many packets the device has sent
# received_on NAMESPACE DEVICE: print how many packets the device has received
sent_on() {
	ip netns exec "$1" cat "/sys/class/net/$2/statistics/tx_packets"
}
received_on() {
	ip netns exec "$1" cat "/sys/class/net/$2/statistics/rx_packets"
}

# hex_column COLUMN FILE: print the sum of a column in a file with one line for each CPU. COLUMN is a number,
# or a name in the first line.
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

# lines_of FILE: print the number of lines in FILE, which has one for each packet that a program received
lines_of() {
	wc -l <"$1"
}

# listener NAMESPACE ADDRESS LOG: start socat, which writes a line for each packet to LOG
listener() {
	: >"$3"
	background ip netns exec "$1" socat -u "$2" "OPEN:$3,append"
}

# Judging -------------------------------------------------------------------------------------------------------

# fates_told TRACE: print a line "FLOW<tab>VERDICT" for each packet of the recording
fates_told() {
	trace-cmd report-skb --json -i "$1" | awk -f "$here/fates.awk"
}

# fates_count: print the value of each COUNTER on a line of its own. A missing line would shift the values
# after it, so fail if a COUNTER prints no number.
fates_count() {
	local i verdict counter value
	counters_look
	for i in "${!fate_names[@]}"; do
		while IFS=$'\t' read -r verdict counter; do
			[ -n "$verdict" ] || continue
			value=$(eval "$counter") || value="nothing, and failed"
			[[ $value =~ ^[0-9]+$ ]] || fail "${fate_names[i]}: the counter of \"$verdict\" prints ${value:-nothing}"
			echo "$value"
		done <<<"${fate_verdicts[i]}"
	done
}

# marked LIST DETAIL: true if the words in LIST contain DETAIL, or KERNEL/DETAIL with the running kernel
marked() {
	case " $1 " in
	*" $2 "* | *" $VM_KERNEL/$2 "*) return 0 ;;
	esac
	return 1
}

# fates_rows DETAIL: print the input of fates-judge.awk for this level of detail. For each row, print its
# name, its flow, if "unknown" is allowed, and if a wrong verdict is a known fault. For each VERDICT of the
# row, print by how much its counter grew from $OUT/before to $OUT/after.
fates_rows() {
	local row verdict counter n=0 unknown wrong before after
	mapfile -t before <"$OUT/before"
	mapfile -t after <"$OUT/after"
	for row in "${!fate_names[@]}"; do
		unknown=0 wrong=0
		! marked "${fate_unknown[row]}" "$1" || unknown=1
		! marked "${fate_wrong[row]}" "$1" || wrong=1
		printf "row\t%s\t%s\t%s\t%s\n" "${fate_names[row]}" "${fate_flows[row]}" "$unknown" "$wrong"
		while IFS=$'\t' read -r verdict counter; do
			[ -n "$verdict" ] || continue
			printf "\t%s\t%s\n" $((after[n] - before[n])) "$verdict"
			n=$((n + 1))
		done <<<"${fate_verdicts[row]}"
	done
}

# fates_judge DETAIL: check all rows with a single awk process, because starting a process takes a tenth of a
# second in an emulated guest
fates_judge() {
	local result text
	fates_rows "$1" >"$OUT/rows"
	while IFS=$'\t' read -r result text; do
		[ "$result" != ok ] || ok "$1: $text"
		[ "$result" != wrong ] || fates_failed+=("$1: $text")
	done < <(awk -f "$here/fates-judge.awk" "$OUT/rows" "$OUT/fates")
}

# fates_hold COMMAND…: record COMMAND with each level of detail, and check all rows
fates_hold() {
	local detail
	fates_failed=()
	for detail in $details; do
		fates_count >"$OUT/before"
		trace-cmd record-skb --detail "$detail" -b "$buffer" -o "$OUT/$detail.dat" "$expression" -- "$@" \
			>"$OUT/command.out" 2>"$OUT/said" || fail "$detail: $(cat "$OUT/said")"
		fates_count >"$OUT/after"
		only_calls_lost "$OUT/said"
		fates_told "$OUT/$detail.dat" >"$OUT/fates"
		cp "$OUT/fates" "$OUT/fates.$detail"
		fates_judge "$detail"
	done
	[ ${#fates_failed[@]} = 0 ] || fail "$(printf '%s\n' "${#fates_failed[@]} rows do not hold:" "${fates_failed[@]}")"
}
