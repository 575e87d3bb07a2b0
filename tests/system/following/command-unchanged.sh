#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a recorded command has the same input, output, signals and exit status as without a recording
# timeout: 240

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
record() {
	trace-cmd record-skb -q -l __dev_queue_xmit "$@"
}

is "$(status_of record -- true)" 0 "true"
is "$(status_of record -- bash -c 'exit 3')" 3 "exit 3"
is "$(status_of record -- bash -c 'kill -KILL $$')" 137 "killed by SIGKILL"
is "$(printf 'one\ntwo\n' | record -- wc -l)" 2 "standard input and output"
is "$(record -- bash -c 'echo "$1 $2"' x 'a  b' "c'd")" "a  b c'd" "arguments with blanks and quotes"
is "$(status_of record -- bash -c 'echo wrong >&2')" 0 "a command that writes to standard error"
# On some kernels the recorder reports that it left out a probe point.
is "$(sed "/: left out\$/d" "$OUT/stderr")" wrong "standard error has only the command's output"

# The recording must end with the command, even if the command leaves a child behind.
is "$(record -- bash -c 'sleep 1000 >/dev/null 2>&1 & echo $!' | tee pid | wc -l)" 1 "a command that leaves a child"
kill "$(cat pid)"
