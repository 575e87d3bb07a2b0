# SPDX-License-Identifier: GPL-2.0
# The names of the settings that measure.sh measures, for the tables. table.awk and kernels.awk share this
# file.
BEGIN {
	FS = "\t"
	nr_details = split("path net full", details, " ")
	kind[""] = "`--detail DETAIL`"
	kind["ring_"] = "`--detail DETAIL --ring`"
	kind["why_"] = "`--detail DETAIL --why`"
	kind["sched_"] = "`--detail DETAIL --sched`"
	kind["expression_"] = "`--detail DETAIL 'udp port 9000'`"
	kind["command_"] = "`--detail DETAIL -- COMMAND`"
	kind["waiting_"] = "`--detail DETAIL`, a matching packet waits"
	for (word in kind) {
		for (n = 1; n <= nr_details; n++) {
			name[word details[n]] = kind[word]
			sub(/DETAIL/, details[n], name[word details[n]])
		}
	}
	name["bare"] = "without recording"
	name["plain_never"] = "function_graph, `-g` that never matches"
	name["plain_ip_rcv"] = "function_graph, `-g ip_rcv`"
	name["bpftrace"] = "bpftrace, ports at the same probe points"
	name["pwru"] = "pwru"
	name["pwru_kernel"] = "pwru, kernel part"
}

function grouped(n,	text) {
	for (; length(n) > 3; n = substr(n, 1, length(n) - 3))
		text = "," substr(n, length(n) - 2) text
	return n text
}
