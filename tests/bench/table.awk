# SPDX-License-Identifier: GPL-2.0
# The figures of measure.sh as tables, for Documentation/performance.md and for people.
BEGIN {
	FS = "\t"
	name["bare"] = "without recording"
	name["path"] = "`--detail path`"
	name["net"] = "`--detail net`"
	name["full"] = "`--detail full`"
	name["plain_never"] = "function_graph, `-g` that never matches"
	name["plain_ip_rcv"] = "function_graph, `-g ip_rcv`"
	name["bpftrace"] = "bpftrace, the ports at the same points"
	option["ring"] = "--ring"
	option["why"] = "--why"
	option["sched"] = "--sched"
	for (word in option)
		for (detail = split("path net full", details, " "); detail; detail--)
			name[word "_" details[detail]] = "`--detail " details[detail] " " option[word] "`"
	name["pwru"] = "pwru"
	name["pwru_kernel"] = "pwru, its kernel part"
}

!($1 in seen) { seen[$1]; settings[++nr_settings] = $1 }
{ figure[$1, $2] = $3 }

function grouped(n,    text) {
	for (; length(n) > 3; n = substr(n, 1, length(n) - 3))
		text = "," substr(n, length(n) - 2) text
	return n text
}

function cell(setting, what, times,    text) {
	if (!((setting, what) in figure))
		return " |"
	text = grouped(figure[setting, what])
	# Of what is written beside us.
	if (what == "bytes_1_percent" && setting != "plain_ip_rcv" && ("plain_ip_rcv", what) in figure)
		text = text sprintf(" (%.2f%%)", 100 * figure[setting, what] / figure["plain_ip_rcv", what])
	if (times && setting != "bare" && ("bare", what) in figure)
		text = text sprintf(" (%.2f)", figure[setting, what] / figure["bare", what])
	return " " text " |"
}

function table(columns, heads, times,    n, what, head, i, j, line, any) {
	n = split(columns, what, " ")
	split(heads, head, "|")
	line = "| |"
	for (j = 1; j <= n; j++)
		line = line " " head[j] " |"
	print line
	line = "|---|"
	for (j = 1; j <= n; j++)
		line = line "---:|"
	print line
	for (i = 1; i <= nr_settings; i++) {
		line = "| " name[settings[i]] " |"
		any = 0
		for (j = 1; j <= n; j++) {
			line = line cell(settings[i], what[j], times)
			any += (settings[i], what[j]) in figure
		}
		if (any)
			print line
	}
}

END {
	print "Nothing matches, instructions (times of those without recording):\n"
	table("udp tcp connect bulk forward process", \
		"UDP round trip|TCP round trip|a connection|32 KB of TCP|forwarded round trip|process and file", 1)
	print "\nPackets that match, instructions of a UDP round trip, and what a recording takes:\n"
	table("udp_1_percent bytes_1_percent udp_all bytes_a_packet empty_file first_start start end", \
		"1% match|bytes of a hundred, one matches (of plain's)|all match|bytes a packet|bytes without a packet|million instructions to start, first in a boot|later|to end", 0)
}
