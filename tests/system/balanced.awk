# SPDX-License-Identifier: GPL-2.0
# awk -f rows.awk -f balanced.awk RAW: in what report -R printed, each function that a task entered it left; each
# graph begins with the gate, and says that it leaves it, but for those that show what recording costs. Prints how many graphs and entries.
#
# Depth by depth, because an interrupt may come when a function has its depth but its row is not written yet:
# then the interrupt's rows stand in front of it, be it the gate itself. If the tracer then leaves the function
# out, the interrupt's graphs are one deeper all the same.

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
	# Around the gate of a recording among others may be others'.
	gate = name == "record_skb_gate" && (shared ? !inside[task] : depth <= !inside[task])
	if (gate) {
		graphs++
		announced[task] = 0
	} else if (!inside[task] && name != "record_skb_calibration" && (depth == 0 || !announced[task])) {
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
	# While anything below the gate is open, it is of that, whose point asks for it: not always of what is one below
	# it, whose row may be missing still.
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
