#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the kernel's own networking tests have the same results with and without a recording of all packets; make check-selftests runs more
# tags: long
# kernels: 6.1
# host: kselftest/prepare
# timeout: 100

. "$(dirname "$0")/../lib/lib.sh"
. "$top/tests/kselftest/in-guest.sh"

# These scripts are the quickest of the kernel's networking tests.
scripts="net/reuseport_addr_any.sh net/test_vxlan_fdb_changelink.sh net/fib_nexthop_nongw.sh net/icmp.sh"
kselftest_copy net bpf
for script in $scripts; do
	run bare "$script" 100
	is "$(exit_of bare "$script")" 0 "$script, bare"
done
record_begin
for script in $scripts; do
	run recorded "$script" 100
done
record_end || fail "the recording: $(cat "$OUT/said")"
has "$(cat "$OUT/said")" '^[1-9][0-9]* packets matched' "the recording has packets"
for script in $scripts; do
	is "$(differ "$script")" "" "$script, recorded: $(verdicts recorded "$script" | wc -l) verdicts"
done
