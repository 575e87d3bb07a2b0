# SPDX-License-Identifier: GPL-2.0
# leaves.awk: print "FUNCTION MEDIAN LOW HIGH" for each function in the output of trace-cmd report -R -t of one CPU that was called
# 200 times and never called another function, in nanoseconds. LOW and HIGH are the 86th and the 115th of 200 sorted times: so many
# are below the median with a probability of less than 2.5%.
function hex(text, n, i) {
	for (i = 1; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}
function field(name) {
	return match($0, " " name "=[^ ]+") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : ""
}
/ (funcgraph_entry|fgraph_retaddr_entry): +func=/ {
	if (open != "") calls_others[open]
	open = field("func")
}
/ funcgraph_exit: +func=/ {
	name = field("func")
	if (open != name) calls_others[name]
	open = ""
	# awk has 53 bits: the upper digits of both times are equal, or differ by one.
	times[name, ++n[name]] = hex(substr(field("rettime"), 3)) - hex(substr(field("calltime"), 3))
}
END {
	for (name in n) {
		if (n[name] != 200 || name in calls_others || name ~ /^record_skb_gate/) continue
		for (i = 1; i <= 200; i++) {
			for (j = i; j > 1 && sorted[j - 1] > times[name, i]; j--)
				sorted[j] = sorted[j - 1]
			sorted[j] = times[name, i]
		}
		print name, (sorted[100] + sorted[101]) / 2, sorted[86], sorted[115]
	}
}
