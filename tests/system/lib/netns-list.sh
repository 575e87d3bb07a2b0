# SPDX-License-Identifier: GPL-2.0
# netns-list.sh - the list of packets with the names of namespaces
# shellcheck disable=SC2154 # lib.sh sets the variables.

# list OPTION…: write report-skb's list of packets to $OUT/list, without the rows of copies
list() {
	trace-cmd report-skb --list --wide -i "$OUT/trace.dat" "$@" | grep -E '^ *[0-9]+ ' >"$OUT/list"
}
