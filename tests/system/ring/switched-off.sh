#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if another process switches tracing off or empties the buffer during a ring, a message says so
# requires: nft socat
# tags: long
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/ring.sh"

ring_setup

# meddled FILE WHAT: write WHAT to a file of tracefs during a ring. The ring is then incomplete, and a
# message must name FILE as the reason.
meddled() { # FILE WHAT
	ring --ring 4M
	good 30
	echo "$2" >"$tracing/$1"
	good 30
	kill -INT "$ring"
	ring_ended 0
	has "$(cat "$OUT/said")" "switched tracing off before the recording ended \\($1\\)" "a message about: $1"
}
meddled tracing_on 0
meddled current_tracer nop
ring --ring 4M
good 30
echo >"$tracing/trace"
kill -INT "$ring"
ring_ended 0
has "$(cat "$OUT/said")" 'another process has emptied the trace buffer' "the message about the emptied buffer"
