# SPDX-License-Identifier: GPL-2.0
# leaves.awk: find the functions that were called exactly 200 times and never called another function. For
# each of them, print "FUNCTION MEDIAN LOW HIGH" in nanoseconds. The input is the output of trace-cmd report
# -R -t for one CPU.
#
# Sort the 200 times of a function: LOW is the 86th, and HIGH is the 115th. The true median is below LOW
# with a probability of less than 2.5%, and above HIGH with the same probability.
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
	# Numbers of awk have 53 bits, which are enough for the nanoseconds of 104 days.
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
