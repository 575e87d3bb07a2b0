#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: frames that do not match cost hardly more at XDP and tc programs during a recording, in instructions
# tags: slow
# kernels: 6.1 6.12 newest
# vm: --icount --smp 1 --append nokaslr
# timeout: 300

# Network: A (10.7.0.1) da --- db (10.7.0.2) B
#          A a1 --- b1 B, also a2 --- b2 and so on, a link for each hook

. "$(dirname "$0")/../lib/lib.sh"

# A limit is for the cost that the recording adds to a frame because it observes the programs, in percent of the cost of
# a frame without a recording. It also applies while a socket has an unread datagram that matched. pktgen sends the
# frames, and its work counts, too. For XDP, the limit is 5%, except for generic XDP on 6.1 with --detail full. The
# other limits are a fifth above the values in Documentation/performance.md.
limits="native_drop 5 native_pass 5 generic_drop 5 tc_drop 12"
full_limits=
case $VM_KERNEL in
6.1)
	limits="native_drop 5 native_pass 5 generic_drop 5 tc_drop 40"
	full_limits="native_drop 5 native_pass 5 generic_drop 7 tc_drop 40"
	;;
*) limits="$limits tcx_drop 12" ;;
esac

"$top/tests/bench/measure.sh" hooks_bare hooks_without_net hooks_net hooks_waiting_without_net hooks_waiting_net hooks_without_full \
	hooks_full >&2

# cost SETTING WHAT: print this figure in instructions
cost() {
	awk -v setting="hooks_$1" -v what="$2" '$1 == setting && $2 == what { print $3 }' "$OUT/figures"
}

bad=0
for detail in net waiting_net full; do
	without=without_$detail
	[ $detail != waiting_net ] || without=waiting_without_net
	detail_limits=$limits
	[ $detail != full ] || detail_limits=${full_limits:-$limits}
	# shellcheck disable=SC2086
	set -- $detail_limits
	while [ $# != 0 ]; do
		bare=$(cost bare "$1")
		added=$(($(cost $detail "$1") - $(cost $without "$1")))
		text="$detail: $1 costs $added more of $bare instructions (at most $2%)"
		[ $((added * 100)) -le $((bare * $2)) ] && ok "$text" || { bad=1 && echo "too much: $text"; }
		shift 2
	done
done
is $bad 0 "limits that were exceeded"
