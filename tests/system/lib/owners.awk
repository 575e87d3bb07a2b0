# SPDX-License-Identifier: GPL-2.0
# awk -f rows.awk -f owners.awk RAW REPORT: check that the annotations of functions in REPORT are right. RAW
# has the output of report -R. For each function entry, find its packet or call from the events in RAW, by
# the rules under "Order" in Documentation/events.md. The annotation in REPORT must name the same packet or
# call. Prints how many lines belong to packets, to calls and to neither. Also prints how often the packet
# or call changes inside a graph.

function proto_name(proto) {
	return proto == 6 ? "tcp" : proto == 17 ? "udp" : proto == 1 ? "icmp" : proto == 58 ? "icmpv6" : \
		"proto " proto
}

# The report shows a star for the unknown address or port of a socket.
function socket_end(end) {
	sub(/^0\.0\.0\.0:0$/, "*", end)
	sub(/^0\.0\.0\.0:/, "*:", end)
	return end
}

function packet_text(	id) {
	if (field("family") != 2)
		return "#" field("pkt") " arp"
	if (field("proto") != 1)
		return "#" field("pkt") " " proto_name(field("proto")) " " \
			end_of(field("saddr")) " > " end_of(field("daddr"))
	id = end_of(field("saddr")) " > " end_of(field("daddr"))
	gsub(/:0/, "", id)
	return "#" field("pkt") " icmp " id " echo " (field("icmp_type") == 8 ? "request" : "reply") \
		" id " field("icmp_id")
}

function call_text(	ends) {
	ends = socket_end(end_of(field("saddr"))) " > " socket_end(end_of(field("daddr")))
	# A packet has two ports or no ports.
	if (ends !~ /:[1-9]/)
		gsub(/:0/, "", ends)
	return "call " proto_name(field("proto")) " " ends
}

# expect(FUNC, OWNER): an event announced that the next entry of FUNC belongs to the packet or call OWNER
function expect(func_name, owner,	n) {
	n = ++waiting[task]
	wait_func[task, n] = func_name
	wait_owner[task, n] = owner
	wait_height[task, n] = heights[task] + 0
}

# expected(FUNC): return the owner of this entry of FUNC: the one that the newest event for FUNC announced.
# An older event may still wait for its entry, because an interrupt can come between the two. An interrupt
# can also come after a function has got its depth and before its row is written. Then the row of the outer
# function is still missing.
function expected(func_name,	n, height) {
	height = field("depth") + 0 < heights[task] + 0 ? field("depth") + 0 : heights[task] + 0
	for (n = waiting[task]; n > 0; n--) {
		if (wait_func[task, n] == func_name) {
			waiting[task] = n - 1
			if (height && wait_owner[task, n] != owners[task, height - 1])
				changes++
			return wait_owner[task, n]
		}
	}
	return height ? owners[task, height - 1] : ""
}

function count(owner) {
	if (owner == "")
		nobodys++
	else if (owner ~ /^call/)
		calls++
	else
		packets++
}

FNR == NR && !row() { next }

FNR == NR && (event == "packet" || event == "call") && field("how") != 2 {
	expect(field("how") + 0 ? field("func") : "record_skb_gate", event == "call" ? call_text() : packet_text())
}

FNR == NR && event == "other" {
	expect(field("func"), "")
}

FNR == NR && event == "funcgraph_entry" {
	name[++entries] = field("func")
	owner[entries] = expected(field("func"))
	when[entries] = task " " time
	# Rows may be missing for functions that only other shared recordings record.
	for (level = heights[task] + 0; level < field("depth") + 0; level++)
		owners[task, level] = owners[task, heights[task] - 1]
	owners[task, field("depth") + 0] = owner[entries]
	heights[task] = field("depth") + 1
	count(owner[entries])
}

FNR == NR && event == "funcgraph_exit" {
	heights[task] = field("depth") + 0
	# Forget events inside a function that has returned, because no entry can follow them.
	while (waiting[task] && wait_height[task, waiting[task]] > heights[task])
		waiting[task]--
}

FNR != NR && row() && event == "funcgraph_entry" {
	n++
	if (when[n] != task " " time || !index(rest, name[n] "("))
		wrong("this should be " name[n] " of " when[n])
	text = ""
	if (match(rest, /\/\* .* \*\//))
		text = substr(rest, RSTART + 3, RLENGTH - 6)
	if (text != owner[n])
		wrong("this should be \"" owner[n] "\"")
}

END {
	if (failed)
		exit 1
	if (!entries || n != entries) {
		print n + 0 " lines for " entries + 0 " entries" > "/dev/stderr"
		exit 1
	}
	print packets + 0 " lines of packets, " calls + 0 " of calls, " nobodys + 0 " of neither, " \
		changes + 0 " changes"
}
