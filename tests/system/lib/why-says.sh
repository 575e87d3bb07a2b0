# SPDX-License-Identifier: GPL-2.0
# why-says.sh - check the file "why" with the output of report-skb --why

# says FLOW TEXT: check that the line below the one that matches FLOW matches the extended regular expression TEXT
says() {
	has "$(grep -E -A 1 -e "$1" why | grep '^    ')" "$2" "$1: $2"
}
