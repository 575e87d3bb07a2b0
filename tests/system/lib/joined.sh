# SPDX-License-Identifier: GPL-2.0
# joined.sh - checks of joined recordings: the estimated clocks, and the numbers of packets

# clock_within NAME TRUE WIDTH: check the estimate for the clock of the host NAME in summary.json. TRUE is the true
# value, and WIDTH is its uncertainty. The difference must be at most the error that report-skb gives, plus WIDTH.
clock_within() {
	local got error
	read -r got error < <(jq -r --arg name "$1" '.hosts[] | select(.name == $name) | "\(.offset_ns) \(.error_ns)"' summary.json)
	echo "$1: estimated $got, true $2 (± $3), error $error"
	[ $((got - $2)) -le $((error + $3)) ] && [ $(($2 - got)) -le $((error + $3)) ] ||
		fail "the error of the clock of $1 is too small"
	ok "the true clock of $1 lies within the error"
}

# payload_numbers: read lines "PAYLOAD #NUMBER[.COPY] VERDICT" of packets from stdin, and write "PAYLOAD NUMBER VERDICT" to
# frames. Print the number of payloads, of numbers with two payloads, and of payloads with two numbers.
payload_numbers() {
	sed -E 's/^([0-9a-f]+)[ \t]#([0-9]+)[ .]([^,]*).*/\1 \2 \3/' | grep -v '^ffffffff' | sort -u >frames
	awk '{ if ($1 in number && number[$1] != $2) split_++; if ($2 in payload && payload[$2] != $1) wrong++
		number[$1] = $2; payload[$2] = $1 } END { print length(number), wrong + 0, split_ + 0 }' frames
}
