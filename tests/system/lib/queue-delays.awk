# SPDX-License-Identifier: GPL-2.0
# Read the rows of a recording, and check the packets in the queue of va. Each packet must have waited there
# for at least "delay" milliseconds, and the packets must have left in order. Print a line for each packet:
# its number, its delay, and if the task that took it out of the queue is the task that had put it there.

row() && event == "packet" && field("dev") == "va" && field("dir") == 2 {
	n = field("pkt")
	if (field("func") == "__dev_queue_xmit") {
		queued[n] = time
		owner[n] = task
	}
	if (field("func") == "sch_direct_xmit" && field("how") == 0)
		opened++
	if (field("func") == "veth_xmit") {
		if (!queued[n])
			wrong("it was never queued")
		if (time - queued[n] < delay / 1000)
			wrong("it waited too short")
		if (n + 0 < last)
			late++
		last = n + 0
		print n, time - queued[n], owner[n] == task ? "same" : "other"
	}
}
END {
	if (!failed && !opened) {
		print "no packet was taken out of the queue by another task" > "/dev/stderr"
		failed = 1
	}
	if (late) {
		print late " packets overtook another" > "/dev/stderr"
		failed = 1
	}
	exit failed
}
