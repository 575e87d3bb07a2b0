# SPDX-License-Identifier: GPL-2.0
# awk -f summary.awk JSON LATENCY SUMMARY: check the numbers in report-skb's summary, and print the
# differences. JSON is the output of report-skb --json, with one object for each packet. LATENCY is the output
# of report-skb --latency --per-flow, with one row for each flow and stage.

# value NAME: return the first member NAME of the JSON object on this line
function value(name,	text) {
	if (!match($0, "\"" name "\":(\"[^\"]*\"|[0-9]+|true|false)")) return ""
	text = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
	gsub(/"/, "", text)
	return text
}

function differ(what, said, counted) {
	if (said != counted) print what ": the summary has " said ", it is " counted
}

FNR == 1 { file++ }

file == 1 && /"type":"packet"/ {
	packets++
	if (value("flow") != "") flows[value("flow")]
	what = $0
	sub(/.*"verdict":\{"what":"/, "", what)
	sub(/".*/, "", what)
	ends[what]++
	if (what == "dropped") drops[value("reason")]++
	if (value("tcp_again") == "true") ends["again"]++
	if (value("complete") == "false") incomplete++
}

# This is a row such as "1  call -> output  2  6.08 ms  6.08 ms …". Between two columns are at least two
# blanks. Inside a name, there is one blank between two words.
file == 2 && FNR > 1 && /^ +[0-9]+  / {
	line = $0
	sub(/^ +[0-9]+  /, "", line)
	name = substr(line, 1, 28)
	sub(/ +$/, "", name)
	split(substr(line, 29), word, " ")
	stages[name] += word[1]
}

file == 3 {
	# The list of packets follows an empty line. It is not checked here.
	if ($0 == "") exit
	lines++
	if (length($0) > 80) print "a line has more than 80 columns: " $0
	if (lines == 1) {
		text = $0
		sub(/.*: /, "", text)
		sub(/^[^:]*\.dat: /, "", text)
		split($0, word, ": ")
		split(word[2], number, " ")
		differ("packets", number[1], packets)
		n = 0
		for (flow in flows) n++
		differ("flows", number[3], n)
	}
	if ($0 ~ /^ +[A-Z]+ .*  [A-Z ]+$/) section = $NF
	else if (section == "HAPPENED" && $3 == "dropped,") {
		reason = $4
		sub(/:$/, "", reason)
		said_drops[reason] += $1
	} else if (section == "HAPPENED" && $3 == "retransmissions") differ("retransmissions", $1, ends["again"])
	else if (section == "HAPPENED" && $3 ~ /^[0-9]+$/) {
		row = $0
		sub(/^ +[0-9]+ +#[0-9]+ +/, "", row)
		n = split(row, part, ", ")
		for (i = 1; i <= n; i++) {
			split(part[i], word, " ")
			if (word[2] in ends) { differ(word[2], word[1], ends[word[2]]); checked++ }
		}
	} else if (section == "WENT" && / -> /) {
		name = $0
		sub(/^.* #[0-9]+  /, "", name)
		differ(name, $1, stages[name])
		checked++
	}
}

END {
	for (reason in said_drops) { differ("dropped " reason, said_drops[reason], drops[reason]); checked++ }
	if (lines > 24) print "the summary has " lines " lines"
	if (checked < 5) print "only " checked + 0 " numbers were checked"
}
