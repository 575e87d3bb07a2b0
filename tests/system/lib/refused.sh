# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# refused.sh - check recordings that record-skb must refuse
#
# shellcheck disable=SC2154 # lib.sh sets the variables.

cd "$OUT"

# refused STATUS PATTERN ARGS…: check that record-skb exits with STATUS and prints one line that matches
# PATTERN. It must leave no file, not load the module, and not run the command.
refused() {
	local status=$1 pattern=$2
	shift 2
	is "$(status_of trace-cmd record-skb "$@")" "$status" "exit status of: record-skb $*"
	is "$(wc -l <"$OUT/stderr")" 1 "lines of complaint"
	has "$(cat "$OUT/stderr")" "^trace-cmd record-skb: .*$pattern" "the message"
	[ ! -e trace.dat ] || fail "a trace.dat was left behind"
	[ ! -e "done" ] || fail "the command ran"
	! grep -q '^record_skb ' /proc/modules || fail "the module was left loaded"
}
