#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if the kernel finds no memory for a list of functions, the recorder notices it and tracing is restored
# requires: /proc/self/fail-nth
# kernels: debug
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/starved-recorder.sh"

# The kernel applies a list of functions only when the file of the list is closed. An error at that moment is
# not reported. So let only calls on these two files fail.
total=0
for file in set_ftrace_filter set_graph_function; do
	for every in 7 11 17; do
		recording 0 $every STARVE_FILE=$file
		what="$failed of $calls calls on $file found no memory"
		wait_for "the end of all, where $what" unrecorded
		as_before
		echo "# $status, where $what: $(tail -n 1 "$OUT/said")"
		total=$((total + failed))
	done
done
[ "$total" -gt 0 ] || fail "nothing has failed"
ok "tracing is as before after $total calls without memory"
stream_ends

next_is_right
