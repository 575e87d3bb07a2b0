# SPDX-License-Identifier: GPL-2.0
# slices.awk: print "TASK FUNCTION BEGIN END" for each call of a function, with times in nanoseconds. Gates,
# and functions without a recorded end, are left out. The input is the output of trace-cmd report -R -t.
match($0, / (funcgraph_entry|fgraph_retaddr_entry|funcgraph_exit): +func=/) {
	row = substr($0, RSTART + 1, RLENGTH)
	split(substr($0, RSTART + RLENGTH), word, " ")
	name = word[1]
	# trace-cmd 3.4 prints the address after the name.
	match($0, / depth=[0-9]+/)
	depth = substr($0, RSTART + 7) + 0
	split($0, at, ":")
	ts = at[1]
	sub(/.* /, "", ts)
	sub(/\./, "", ts)
	task = $0
	sub(/ +\[.*/, "", task)
	sub(/.*-/, "", task)
	cpu = $0
	sub(/\].*/, "", cpu)
	sub(/.*\[/, "", cpu)
	if (task == 0)
		task = 1000000000 + cpu
	# Remove functions whose exits are missing. Otherwise the exit of another function at the same depth
	# would end them.
	for (; open[task] && (row ~ /entry/ ? level[task, open[task]] >= depth : level[task, open[task]] > depth);)
		open[task]--
	if (row ~ /entry/) {
		n = ++open[task]
		level[task, n] = depth
		function_name[task, n] = name
		since[task, n] = ts
	} else if (open[task] && level[task, open[task]] == depth && function_name[task, open[task]] == name) {
		n = open[task]--
		if (name !~ /^record_skb_gate/)
			print task, name, since[task, n], ts
	}
}
