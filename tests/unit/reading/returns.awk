# SPDX-License-Identifier: GPL-2.0
# trace-cmd report | awk -f returns.awk: print "FUNCTION NUMBER NAME" for each gate that closes. FUNCTION is
# the probed function. NUMBER is its return value in the event record_skb:return. NAME is the name of this
# value in the closing line, or "-".

function task_of(line,	task) {
	match(line, /-[0-9]+ +\[[0-9]+\]/)
	task = substr(line, RSTART, RLENGTH)
	return task ~ /^-0 / ? task : task + 0
}

/: return: +(#[0-9.]+|call [0-9]+) [^ ]+ = -?[0-9]+$/ {
	said[task_of($0)] = $(NF - 2) " " $NF
	next
}

# In the exit row of a gate, two spaces and a brace follow the bar.
/: funcgraph_exit: .*\|  \}/ {
	task = task_of($0)
	if (!(task in said)) {
		if ($0 ~ /\/\* = /)
			print "a name without an event: " $0
		next
	}
	name = "-"
	if (match($0, /\/\* = [^ ]+ \*\/$/))
		name = substr($0, RSTART + 5, RLENGTH - 8)
	print said[task], name
	delete said[task]
}
