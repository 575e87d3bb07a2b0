# SPDX-License-Identifier: GPL-2.0
# awk -f names.awk -f table.awk FIGURES: print the figures of one kernel as tables, for
# Documentation/performance.md.
!($1 in seen) { seen[$1]; settings[++nr_settings] = $1 }
{ figure[$1, $2] = $3 }

function cell(setting, what, times,    text) {
	if (!((setting, what) in figure))
		return " |"
	text = grouped(figure[setting, what])
	# For the size of a file, add the percentage of what function_graph alone writes for the same traffic.
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
	print "Unrelated traffic. Instructions, and multiples of those without recording:\n"
	table("udp tcp connect bulk forward process", \
		"UDP round trip|TCP round trip|a connection|32 KB of TCP|forwarded round trip|process and file", 1)
	print "\nMatching traffic, files, start and end. Instructions of a UDP round trip, bytes, and million instructions:\n"
	table("udp_1_percent bytes_1_percent udp_all bytes_a_packet empty_file first_start start end", \
		"1% match|bytes if one of a hundred matches (of `-g ip_rcv`)|all match|bytes a packet|bytes without a packet|million instructions to start, first in a boot|later|to end", 0)
}
