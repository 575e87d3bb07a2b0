#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: what does not match costs what it did: round trips and processes while others are recorded, in instructions
# requires: nft
# kernels: 6.1 6.12
# vm: --icount --smp 1 --append nokaslr
# timeout: 3000

. "$(dirname "$0")/lib.sh"

# Times of what a round trip costs without recording; 15% above what was reached, except the first start of
# `full`: that stays below 1,000 million, and /proc/uptime counts in tens of them. `make bench` has all the figures.
case $VM_KERNEL in
6.1)
	# What make check has the time for.
	what="--trips bare net"
	limits="net udp 2.00 net tcp 2.00"
	starts="net 1150"
	;;
6.12)
	what="--short bare path net full"
	limits="path udp 1.31 path tcp 1.30 net udp 1.35 net tcp 1.35 full udp 1.50 full tcp 1.50 full process 1.27"
	starts="net 1040 full 990"
	;;
*) skip "nobody has said what it may cost on $VM_KERNEL" ;;
esac

# shellcheck disable=SC2086
"$here/../bench/measure.sh" $what >&2

# cost SETTING WHAT
cost() {
	awk -v setting="$1" -v what="$2" '$1 == setting && $2 == what { print $3 }' "$OUT/figures"
}

# shellcheck disable=SC2086
set -- $limits
while [ $# != 0 ]; do
	bare=$(cost bare "$2")
	now=$(cost "$1" "$2")
	times=$(awk -v n="$now" -v bare="$bare" 'BEGIN { printf "%.2f", n / bare }')
	awk -v times="$times" -v limit="$3" 'BEGIN { exit !(times > 1 && times <= limit) }' ||
		fail "$1: $2 costs $now instructions, $times times the $bare without; $3 is what it may"
	ok "$1: $2 costs $now instructions, $times times the $bare without (at most $3)"
	shift 3
done

# Millions of instructions of a boot's first recording, until its command runs: what the machine's time was not idle.
busy() {
	awk '{ printf "%.0f\n", ($1 - $2) * 1000 }' "$1"
}

# shellcheck disable=SC2086
set -- $starts
while [ $# != 0 ]; do
	rm -f /run/record_skb.*
	begin=$(busy /proc/uptime)
	trace-cmd record-skb -q -o "$OUT/trace.dat" --detail "$1" -p 9000 -- cp /proc/uptime "$OUT/uptime"
	took=$(($(busy "$OUT/uptime") - begin))
	[ "$took" -le "$2" ] || fail "a boot's first start of $1 takes $took million instructions; $2 is what it may"
	ok "a boot's first start of $1 takes $took million instructions (at most $2)"
	shift 2
done
