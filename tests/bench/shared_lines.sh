#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# shared_lines.sh DETAIL: check that two CPUs do not share cache lines that are written often.
#
# CPU 1 records matching packets, and CPU 0 handles unrelated packets. CPU 0 must not write memory that CPU 1 uses, and
# must not read cache lines that CPU 1 writes often. The guest has two CPUs and runs with the plugin of shared_lines.c;
# see tests/bench/shared_lines.
. "$(dirname "$0")/../system/lib/lib.sh"
. "$(dirname "$0")/network.sh"
wait_seconds=1000000
trips=300
# Accesses up to this number count as rare. The number is far below the number of packets on either CPU. A few
# accesses are normal: a task that moves to the other CPU touches its stack there.
seldom=100

programs_of_plugin
direct_link

trace-cmd record-skb -o /tmp/trace.dat --detail "$1" -p 9000 >"$OUT/said" 2>&1 &
recorder=$!
wait_for "matching" armed
awk '$4 == "[record_skb]"' /proc/kallsyms | sort >/tmp/symbols
code=$(awk '$2 ~ /[tT]/ { print $1 }' /tmp/symbols)
/tmp/command 1 "$(head -n 1 <<<"$code")"
/tmp/command 2 "$(printf %x $((0x$(tail -n 1 <<<"$code") + 4096)))"

# Send matching packets on CPU 1 all the time. The work on CPU 0 sends none. Counting begins after both flows
# exist.
taskset -c 1 /tmp/work udp 10.7.0.2 1000 1 >/dev/null &
matching=$!
sleep 2
/tmp/command 3 0
taskset -c 0 /tmp/work udp 10.7.0.2 $((trips / 100 - 1)) >/dev/null
/tmp/command 4 0
kill $matching
wait $matching || [ $? = 143 ] || fail "the program on CPU 1"
kill -INT $recorder
wait $recorder || fail "the recorder: $(cat "$OUT/said")"
cat "$OUT/said" >&2

# The columns of $OUT/lines: address of the cache line, reads and writes on CPU 0, reads and writes on CPU 1.
awk '{ for (i = 2; i <= 5; i++) sum[i] += $i } END { print "CPU 0:", sum[2], "reads", sum[3], "writes; CPU 1:", sum[4], "reads", sum[5], "writes" }' \
	"$OUT/lines"
# name ADDRESS: print the symbol that contains ADDRESS, the start of a cache line
name() {
	awk -v at="$1" '$1 > at { exit } { name = $3 } END { print name }' /tmp/symbols
}

# show WHAT FILE: print the heading WHAT and the first 40 cache lines of FILE
show() {
	echo "$1: $(wc -l <"$2") lines"
	sort -k 2,2nr "$2" | head -n 40 | while read -r address r0 w0 r1 w1; do
		echo "    $address $(name "$address"): CPU 0 $r0 reads $w0 writes, CPU 1 $r1 reads $w1 writes"
	done
}
awk '$3 && ($4 || $5)' "$OUT/lines" >/tmp/written
awk '$2 && $5' "$OUT/lines" >/tmp/read
show "written by CPU 0 and used by CPU 1" /tmp/written
show "read by CPU 0 and written by CPU 1" /tmp/read

# Check that the plugin counted, and that enough packets matched for the limits below.
[ "$(awk '{ n += $2 } END { print (n > 0) }' "$OUT/lines")" = 1 ] || fail "the plugin has counted nothing"
packets=$(sed -n 's/ packets matched.*//p' "$OUT/said")
[ "$packets" -gt $((2 * seldom)) ] || fail "only $packets packets matched"
is "$(awk -v n=$seldom '$3 > n && $4 + $5 > n { print $1 }' "$OUT/lines" | wc -l)" 0 "lines that both CPUs use often and CPU 0 writes"
is "$(awk -v n=$seldom '$2 > n && $5 > n { print $1 }' "$OUT/lines" | wc -l)" 0 "lines that CPU 0 reads and CPU 1 writes often"
