# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# kept-instance.sh - recordings of port 9000 to the tracing instance "kept", which survives a crash
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

steps=$(program steps)
kept=$tracing/instances/kept
trace=$DISK/trace.dat
record=(trace-cmd record-skb "${few[@]}" -o "$trace" -p 9000)

# refused WHAT COMMAND…: check that COMMAND fails and prints one line
refused() {
	is "$(status_of "${@:2}") $(wc -l <"$OUT/stderr")" "125 1" "refused: $1"
}

# emptied WHAT: check that there is no file except the trace, and that the instance has no tracer and no
# entries
emptied() {
	is "$(echo "$trace"*) $(cat "$kept/current_tracer")" "$trace nop" "$1: no head, and no tracer"
	is "$(grep -h '^entries' "$kept"/per_cpu/cpu*/stats | sort -u)" "entries: 0" "$1: an empty instance"
}
