#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if a trace.dat is damaged, trace-cmd report does not crash or hang more often with our plugin than without it
# requires: nft tcpdump
# tags: long
# timeout: 600

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/crowd.sh"

crowd
size=$(stat -c %s $crowd/trace.dat)

# ended_by SECONDS [COMMAND]: let COMMAND start trace-cmd report for the damaged file, and print its exit
# status. If it takes longer than SECONDS, end it and print 124.
ended_by() {
	local status=0
	"${@:2}" timeout "$1" trace-cmd report -i "$OUT/damaged.dat" >"$OUT/stdout" 2>"$OUT/stderr" || status=$?
	echo "$status"
}

# no_worse WHAT: make a report of the damaged file with our plugin, and one without it. The plugin must not
# cause a crash or a hang; trace-cmd without the plugin may have one, too. The report with the plugin gets
# more time, because a damaged file may have a million rows, or rows that are a gigabyte wide.
no_worse() {
	local with without
	with=$(ended_by 60)
	without=$(ended_by 10 without_plugin)
	[ "$with" -lt 124 ] || [ "$without" -ge 124 ] || fail "$1: the report ends with status $with, without the plugin with $without"
	ok "$1: status $with, without the plugin $without"
}

for part in 1 20 50 80 99; do
	head -c $((size * part / 100)) $crowd/trace.dat >"$OUT/damaged.dat"
	no_worse "the first $part %"
done
# The last part of the file has the events, so damage that part.
SEED=${SEED:-9000}
random_seed
for place in 99 97 95 93 90 85; do
	cp $crowd/trace.dat "$OUT/damaged.dat"
	for ((i = 0; i < 64; i++)); do
		# In a subshell, bash gives $RANDOM another seed.
		byte=$((RANDOM % 256))
		at=$((size * place / 100 + RANDOM % 4096))
		printf "%b" "\\x$(printf %x $byte)" |
			dd of="$OUT/damaged.dat" bs=1 seek=$at conv=notrunc status=none
	done
	truncate -s "$size" "$OUT/damaged.dat"
	no_worse "noise at $place %"
done
