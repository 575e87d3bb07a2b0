# SPDX-License-Identifier: GPL-2.0
# witness.awk: find the packet or call to which each line of a recording belongs. This is a witness for the
# plugin.
#
# Input: the output of trace-cmd report without the plugin. Output: the same lines; a function entry that
# belongs to a packet ends with " /* #N proto A > B */". A function entry that belongs to a call ends with
# " /* call … */".
#
# The plugin gets the rows one after another, but this program can read the text in any order. For each
# event, it searches forward for the announced entry, and marks all lines up to the exit of this entry.
# Later events replace the marks of earlier events. Recordings with losses are not supported.

# task-pid [cpu] time: event: text
function task_of(line,	task) {
	match(line, /^ *.*-[0-9]+ +\[[0-9]+\]/)
	task = substr(line, RSTART, RLENGTH)
	cpu = task
	sub(/.*\[/, "", cpu)
	sub(/ +\[.*/, "", task)
	sub(/.*-/, "", task)
	return task == "0" ? "0@" cpu : task
}

{
	line[NR] = $0
	event = text = $0
	if (!match($0, /: +[a-z_]+: /))
		next
	event = substr($0, RSTART, RLENGTH)
	gsub(/[: ]/, "", event)
	text = substr($0, RSTART + RLENGTH)
	task = task_of($0)
	row = ++rows[task]
	number[task, row] = NR
	kind[task, row] = event

	if (event ~ /^f(unc)?graph_/) {
		graph = text
		sub(/^[^|]*\|  /, "", graph)
		match(graph, /^ */)
		depth[task, row] = RLENGTH / 2
		name[task, row] = graph
		sub(/^ */, "", name[task, row])
		sub(/\(.*/, "", name[task, row])
		leaf[task, row] = graph ~ /;$/
	} else {
		sub(/^ */, "", text)
		said[task, row] = text
	}
}

# Print addresses as the plugin does: without ports if both are 0, and with "*" if a socket has no address
# yet.
function flow(from, to, is_call) {
	if (from ~ /:0$/ && to ~ /:0$/) {
		gsub(/:0$/, "", from)
		gsub(/:0$/, "", to)
		gsub(/[][]/, "", from)
		gsub(/[][]/, "", to)
	}
	if (is_call) {
		sub(/^(0\.0\.0\.0|\[::\]|::)$/, "*", from)
		sub(/^(0\.0\.0\.0|\[::\]|::)$/, "*", to)
		sub(/^(0\.0\.0\.0|\[::\]):/, "*:", from)
		sub(/^(0\.0\.0\.0|\[::\]):/, "*:", to)
		sub(/^\*:0$/, "*", from)
		sub(/^\*:0$/, "*", to)
	}
	return from " > " to
}

function entry(task, row) {
	return kind[task, row] == "funcgraph_entry" || kind[task, row] == "fgraph_retaddr_entry"
}

# end_of(): return the row in which the function that was entered at @row exits, or the last row
function end_of(task, row,	d, open) {
	if (leaf[task, row])
		return row
	d = depth[task, row]
	for (open = 1; open && row < rows[task];) {
		row++
		if (depth[task, row] != d || !((task, row) in name))
			continue
		if (entry(task, row) && !leaf[task, row])
			open++
		if (kind[task, row] == "funcgraph_exit")
			open--
	}
	return row
}

function mark(task, row, func_name, text,	at, last) {
	for (at = row + 1; at <= rows[task]; at++) {
		if (entry(task, at) && name[task, at] == func_name)
			break
	}
	last = at > rows[task] ? 0 : end_of(task, at)
	for (; at <= last; at++)
		owner[number[task, at]] = text
}

END {
	for (task in rows) {
		for (row = 1; row <= rows[task]; row++) {
			event = kind[task, row]
			split(said[task, row], word, " ")
			if (event == "packet") {
				text = word[1] " " word[4] " " flow(word[5], word[7], 0)
				target = word[2]
				how = word[length(word)]
			} else if (event == "call") {
				text = "call"
				if (word[3] != "-")
					text = text " " word[3] " " flow(word[4], word[6], 1)
				target = word[1]
				how = word[length(word)]
			} else if (event == "other") {
				text = ""
				target = word[1]
				how = "nested"
			} else {
				continue
			}
			if (how == "open")
				target = "record_skb_gate"
			if (how == "open" || how == "nested")
				mark(task, row, target, text)
		}
	}
	for (i = 1; i <= NR; i++) {
		is_entry = line[i] ~ /: +f(unc)?graph_(retaddr_)?entry: /
		print line[i] (is_entry && owner[i] != "" ? " /* " owner[i] " */" : "")
	}
}
