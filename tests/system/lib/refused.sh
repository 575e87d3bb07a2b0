# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# refused.sh - recordings that are refused
#
# shellcheck disable=SC2154 # lib.sh sets the variables.

cd "$OUT"

# refused STATUS PATTERN ARGS…: check the status and that there is one line, which matches PATTERN. No file, no module and no
# effect of a command may be left.
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
