# SPDX-License-Identifier: GPL-2.0
# awk -f rows.awk -f balanced.awk RAW: check the graphs in the output of report -R. Each function entry of a
# task must have its exit. Each graph must begin with the gate, and the return event must precede the gate's
# exit. Graphs that measure the recording itself are exempt. Prints the numbers of graphs and entries.
#
# The check compares depths, because an interrupt may come after a function has got its depth and before its
# row is written. Then the interrupt's rows precede the row of the function, even if they begin with the gate.
# If the tracer then leaves out the function, the interrupt's graphs are one level too deep.

/LOST [0-9]+ EVENTS|EVENTS DROPPED/ { wrong("events were lost") }

!row() { next }

event == "packet" || event == "call" { announced[task] = 1 }

event == "funcgraph_entry" || event == "funcgraph_exit" {
	name = field("func")
	depth = field("depth")
	at = task SUBSEP depth
}

event == "funcgraph_entry" {
	if ($0 ~ /record_skb_gate_[0-9]/)
		shared = 1
	# The gate of a shared recording may be inside functions that other recordings record.
	gate = name == "record_skb_gate" && (shared ? !inside[task] : depth <= !inside[task])
	if (gate) {
		graphs++
		announced[task] = 0
	} else if (!inside[task] && (depth == 0 || !announced[task])) {
		wrong("a graph without a gate")
	}
	inside[task]++
	if (name == "record_skb_gate")
		gates[task, ++nr_gates[task]] = inside[task]
	open[at, ++opened[at]] = name
	entries++
}

event == "funcgraph_exit" {
	if (!opened[at])
		wrong("nothing is open at this depth")
	if (opened[task SUBSEP depth + 1])
		wrong("left before what it called")
	if (open[at, opened[at]--] != name)
		wrong("left, but " open[at, opened[at] + 1] " is open at this depth")
	if (name == "record_skb_gate") {
		if (!leaving[task]--)
			wrong("a gate without a return event")
		nr_gates[task]--
	}
	if (depth == 0)
		announced[task] = 0
	inside[task]--
}

event == "return" {
	if (!inside[task])
		wrong("no gate is open")
	# A return event announces the gate's exit only if no function inside the gate is open. So count the
	# open functions. The depth of the next row does not show this, because that row may be missing.
	if (inside[task] == gates[task, nr_gates[task]])
		leaving[task]++
}

END {
	if (failed)
		exit 1
	for (at in opened) {
		if (opened[at]) {
			split(at, where, SUBSEP)
			print "task " where[1] " never left " open[at, opened[at]] " at depth " where[2] > "/dev/stderr"
			exit 1
		}
	}
	for (task in leaving) {
		if (leaving[task]) {
			print "task " task " said that it leaves a gate, and did not" > "/dev/stderr"
			exit 1
		}
	}
	if (!graphs) {
		print "there is no graph" > "/dev/stderr"
		exit 1
	}
	print graphs " graphs, " entries " entries"
}
