#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# functions.sh DETAIL…: count the instructions of each kernel function for unrelated work, without a recording
# and with one for each DETAIL. The guest must have one CPU and the plugin of functions.c; see
# tests/bench/functions.
. "$(dirname "$0")/../system/lib/lib.sh"
. "$(dirname "$0")/network.sh"
wait_seconds=1000000

programs_of_plugin
direct_link

# count SETTING WHAT BATCHES: do the work WHAT, and count how many instructions each kernel function
# executes for one repetition. Write lines "FUNCTION COUNT" to /tmp/SETTING.WHAT.
count() {
	sort /proc/kallsyms >/tmp/symbols
	/tmp/work "$2" 10.7.0.2 1 >/dev/null
	: >"$OUT/counts"
	/tmp/command 1 0
	/tmp/work "$2" 10.7.0.2 "$3" >/dev/null
	/tmp/command 2 0
	# /tmp/work does BATCHES + 1 batches of 100 repetitions each.
	{
		sed 's/^/S /' /tmp/symbols
		sed 's/^/C /' "$OUT/counts"
	} | sort -s -k 2,2 | awk -v repetitions=$((($3 + 1) * 100)) '
		$1 == "S" && $3 ~ /^[tTwW]$/ { name = $4 $5; next }
		$1 == "C" { count[$2 < "8" ? "user space" : name] += $3 }
		END { for (name in count) printf "%s %.1f\n", name, count[name] / repetitions }' | sort >"/tmp/$1.$2"
}

# compare SETTING WHAT: print the functions that execute more instructions with the recording SETTING than
# without a recording, sorted by the difference.
compare() {
	echo "$1 $2: $(awk '{ n += $NF } END { printf "%d", n }' "/tmp/bare.$2") instructions without a recording," \
		"$(awk '{ n += $NF } END { printf "%d", n }' "/tmp/$1.$2") with one"
	awk 'FILENAME == ARGV[1] { bare[$1] = $NF; next } { now[$1] = $NF } END { for (n in now) printf "%8d %s\n", now[n] - bare[n], n }' \
		"/tmp/bare.$2" "/tmp/$1.$2" | sort -nr | sed -n 1,30p
}

count bare udp 3
count bare process 1
for detail; do
	trace-cmd record-skb -o /tmp/trace.dat --detail "$detail" -p 9000 >"$OUT/said" 2>&1 &
	recorder=$!
	wait_for "matching" armed
	count "$detail" udp 3
	count "$detail" process 1
	kill -INT $recorder
	wait $recorder || fail "the recorder: $(cat "$OUT/said")"
done
for detail; do
	compare "$detail" udp
	compare "$detail" process
done
