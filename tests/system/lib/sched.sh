# SPDX-License-Identifier: GPL-2.0
# sched.sh - shared by the tests of --sched, which also use longest-gap.sh
# shellcheck disable=SC2034,SC2154 # longest-gap.sh sets the other variables, and the tests use these.

time_='[0-9.]+ [mu]?s'
reader_waits="#[0-9]+: it was in the socket's queue; its reader waited $time_ for a CPU, which steps-[0-9]+ had"

# record_sched PORT STEP…: same as record_client, with --sched
record_sched() {
	record --sched -p "$1" -- ip netns exec A "$steps" connect 10.9.0.2 "$@"
}

# between FILE N: each line of FILE has a time in microseconds. Print the difference between the times in
# lines N and N + 1, in milliseconds.
between() {
	awk -v n="$2" 'NR == n { from = $1 } NR == n + 1 { print ($1 - from) / 1000 }' "$1"
}

# as_ms WORDS: print each time in WORDS in milliseconds
as_ms() {
	grep -oE '[0-9.]+ (ns|us|ms|s)\b' <<<"$1" |
		awk '{ print $1 * ($2 == "s" ? 1000 : $2 == "us" ? .001 : $2 == "ns" ? .000001 : 1) }'
}

# waited_for_cpu: print how many milliseconds a task waited for a CPU, according to the last line of the
# report
waited_for_cpu() {
	as_ms "$(trace-cmd report-skb --list "$gaps/trace.dat" 2>&1 >/dev/null | grep -oE "waited $time_ for a CPU")"
}

# at_most LINE: some rows of --latency have the name LINE. Print the longest of their times in milliseconds,
# or 0 if there is no such row.
at_most() {
	local line most=0
	while read -r line; do
		line=$(as_ms "$(grep -oE "$time_" <<<"${line#*"$1"}" | sed -n 4p)")
		most=$(awk -v a="$most" -v b="$line" 'BEGIN { print (b > a) ? b : a }')
	done < <(trace-cmd report-skb --latency "$gaps/trace.dat" 2>/dev/null | grep -F " $1 ")
	echo "$most"
}
