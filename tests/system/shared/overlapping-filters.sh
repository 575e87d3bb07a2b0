#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: recordings run at the same time with overlapping or nested filters, and each has all its packets and decisions, and no row of another recording
# kernels: 6.12 6.12-rt newest
# requires: nft
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
traffic=$(program traffic)
echo_server B 9000 9001 7001
in_b nft -f - <<-END
	table inet witness {
		counter p9000 { }; counter p9001 { }; counter p7001 { };
		chain in {
			type filter hook input priority 0;
			tcp dport 9000 counter name p9000
			tcp dport 9001 counter name p9001
			tcp dport 7001 counter name p7001
		}
		chain out {
			type filter hook output priority 0;
			tcp sport 9000 counter name p9000
			tcp sport 9001 counter name p9001
			tcp sport 7001 counter name p7001
		}
	}
END

# record N OPTIONS…: record in the background, and wait until the module is armed
pids=
record() {
	local n=$1
	shift
	ip netns exec A trace-cmd record-skb --shared -b 16384 -o "/tmp/shared$n.dat" "$@" 2>"$OUT/said$n" &
	pids="$pids $!"
	wait_for "recording $n" grep -q 'recording until' "$OUT/said$n"
}
at_exit rm -f /tmp/shared{1,2,3,4}.dat
record 1 "${few[@]}" -p 9000
record 2 --detail path -p 9000,9001
record 3 "${few[@]}" 'tcp and host 10.9.0.2'
record 4 --detail net -p 9001

taskset -c 0 ip netns exec A "$traffic" talk 10.9.0.2 8 9000 7001 >/dev/null &
a=$!
taskset -c 1 ip netns exec A "$traffic" talk 10.9.0.2 8 9001 >/dev/null &
wait $a $!
over() { ! in_b ss -Htan state connected | grep -q 10.9.0; }
wait_for "the end of all connections" over
# shellcheck disable=SC2086
kill -INT $pids
# shellcheck disable=SC2086
wait $pids
p9000=$(packets_of B inet witness p9000) p9001=$(packets_of B inet witness p9001) p7001=$(packets_of B inet witness p7001)
echo "$p9000 $p9001 $p7001"

matched() {
	sed -n 's/ packets matched.*//p' "$OUT/said$1"
}
cat "$OUT"/said{1,2,3,4}
is "$(matched 1)" "$p9000" "packets of port 9000"
is "$(matched 2)" $((p9000 + p9001)) "packets of ports 9000 and 9001"
is "$(matched 3)" $((p9000 + p9001 + p7001)) "all packets of TCP"
is "$(matched 4)" "$p9001" "packets of port 9001"
for n in 1 2 3 4; do
	nothing_lost "$OUT/said$n"
	balanced /tmp/shared$n.dat
	owners /tmp/shared$n.dat
done

# A decision about a packet that two recordings match belongs to both.
decisions() {
	trace-cmd report -N -i /tmp/shared$1.dat 2>/dev/null | grep -c ' decision: ' || :
}
[ "$(decisions 1)" -ge 8 ] || fail "recording 1 has only $(decisions 1) decisions for 8 connections"
is "$(decisions 2)" $(($(decisions 1) + $(decisions 4))) "decisions about packets of ports 9000 and 9001"
