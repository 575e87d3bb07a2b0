#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if calls of the recorder and its children find no memory, the recorder reports an error or records, and tracing is restored
# requires: /proc/self/fail-nth
# kernels: debug
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

# harm/recorder-no-memory-often sets a larger number of recordings.
runs=${RUNS:-6}
random_seed
. "$here/starved-recorder.sh"

total=0 whole=0
for ((n = 1; n <= runs; n++)); do
	after=$((RANDOM % all))
	# In every other recording, only one call fails. In the recordings between them, later calls fail,
	# too.
	every=$((n % 2 ? 1000000 : 5 + RANDOM % 50))
	recording $after $every
	what="$failed of $calls calls, that after $after and one of $every others, found no memory"
	wait_for "the end of all, where $what" unrecorded
	as_before
	[ "$status" != 0 ] || {
		grep -q 'entries recorded' "$OUT/said" || fail "the recording has no summary, where $what"
		! grep -q ', 0 lost' "$OUT/said" || balanced "$OUT/trace.dat"
		whole=$((whole + 1))
	}
	[ -s "$OUT/said" ] || fail "it failed without a message, where $what"
	echo "# $status, where $what: $(tail -n 1 "$OUT/said")"
	total=$((total + failed))
	rm -f "$OUT"/trace.dat*
	traffic_goes_on "where $what"
done
[ "$total" -gt 0 ] || fail "nothing has failed"
ok "$whole of $runs recordings are whole, $total calls found no memory"
stream_ends

next_is_right
