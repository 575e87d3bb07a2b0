# SPDX-License-Identifier: GPL-2.0
# awk -v want=WANT -f rows.awk -f followed.awk RAW: print what a followed command did, from the events in RAW.
# WANT is
#
#   tasks    the tasks that make socket calls
#   first    the first socket call of each task: PID FUNCTION
#   flows    each flow once: PROTOCOL END END ECHO-ID
#   begins   the first packet of each flow: TCP-FLAGS DESTINATION

function flow(	a, b) {
	a = end_of(field("saddr"))
	b = end_of(field("daddr"))
	return field("proto") " " (a < b ? a " " b : b " " a) " " field("icmp_id")
}

row() && event == "call" && !called[pid]++ {
	if (want == "tasks")
		print pid
	else if (want == "first")
		print pid, field("func")
}

row() && event == "packet" && !seen[flow()]++ {
	if (want == "flows")
		print flow()
	else if (want == "begins")
		print field("tcp_flags"), end_of(field("daddr"))
}
