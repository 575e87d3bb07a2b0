#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: during a recording, unrelated packets and processes need only a few more instructions
# requires: nft
# kernels: 6.1 6.12 newest
# vm: --icount --smp 1 --append nokaslr
# timeout: 600

# Network: A (10.7.0.1) da --- db (10.7.0.2) B
#          A (10.9.0.1) va --- ra R rb --- vb (10.8.0.2) B, for packets that are forwarded

. "$(dirname "$0")/../lib/lib.sh"

# Each limit applies to a figure: the cost of a round trip during a recording, divided by its cost without a
# recording. The limits are 15% above the measured values in Documentation/performance.md. ALL_FILTERS=y
# checks more figures. The figure file_running is for a process that ran before the recording started.
more="expression_path expression_full command_path command_full"
groups="bare command_net full waiting_full --trips path waiting_path net waiting_net expression_net ${ALL_FILTERS:+$more}"
case $VM_KERNEL in
6.1)
	limits="path udp 1.72 path tcp 1.63 net udp 2.05 net tcp 2.03 full udp 3.16 full tcp 3.33 full process 2.19
		full file 2.08 full file_running 2.09 expression_net udp 2.04 expression_net tcp 2.03
		command_net udp 2.15 command_net tcp 2.12 waiting_path udp 1.74 waiting_path tcp 1.64
		waiting_net udp 2.06 waiting_net tcp 2.06 waiting_full udp 3.11 waiting_full tcp 3.28"
	more="expression_path udp 1.72 expression_path tcp 1.63 command_path udp 1.90 command_path tcp 1.75
		expression_full udp 3.16 expression_full tcp 3.31 command_full udp 3.19 command_full tcp 3.34"
	;;
6.12)
	limits="path udp 1.27 path tcp 1.25 net udp 1.31 net tcp 1.30 full udp 1.45 full tcp 1.44 full process 1.27
		full file 1.37 full file_running 1.37 expression_net udp 1.31 expression_net tcp 1.30
		command_net udp 1.32 command_net tcp 1.31 waiting_path udp 1.29 waiting_path tcp 1.28
		waiting_net udp 1.33 waiting_net tcp 1.33 waiting_full udp 1.46 waiting_full tcp 1.46"
	more="expression_path udp 1.27 expression_path tcp 1.25 command_path udp 1.29 command_path tcp 1.27
		expression_full udp 1.47 expression_full tcp 1.46 command_full udp 1.46 command_full tcp 1.45"
	;;
newest)
	limits="path udp 1.24 path tcp 1.23 net udp 1.27 net tcp 1.28 full udp 1.39 full tcp 1.39 full process 1.23
		full file 1.36 full file_running 1.36 expression_net udp 1.27 expression_net tcp 1.25
		command_net udp 1.30 command_net tcp 1.29 waiting_path udp 1.27 waiting_path tcp 1.25
		waiting_net udp 1.29 waiting_net tcp 1.30 waiting_full udp 1.40 waiting_full tcp 1.39"
	more="expression_path udp 1.25 expression_path tcp 1.23 command_path udp 1.25 command_path tcp 1.25
		expression_full udp 1.38 expression_full tcp 1.38 command_full udp 1.41 command_full tcp 1.39"
	;;
*) skip "no limits are known for $VM_KERNEL" ;;
esac
limits="$limits ${ALL_FILTERS:+$more}"

# shellcheck disable=SC2086
"$top/tests/bench/measure.sh" --short $groups >&2

# cost SETTING WHAT: print the measured instructions for WHAT with SETTING
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

# The first start after a boot reads the kernel's whole list of functions, and may take 1,500 million
# instructions.
took=$(cost command_net start)
[ "$took" -le 1500 ] || fail "the first start takes $took million instructions; 1500 is what it may"
ok "the first start takes $took million instructions (at most 1500)"
