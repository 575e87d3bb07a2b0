#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: each graph is complete although matching packets arrive by interrupt while a call of the same task enters a gate
# timeout: 300
# kernels: 6.1 6.1-rt debug

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
traffic=$(program traffic)
in_b "$traffic" reflect 9000 &
at_exit stop $!
wait_for "the reflector" udp_listening B 9000
# netem sends the packets from timer interrupts, which may interrupt any task.
in_a tc qdisc add dev va root netem delay 1ms 500us limit 10000

# The module stretch disables interrupts after a task has entered a gate, and enables them before the gate
# calls the probed function. So pending interrupts arrive exactly before this call.
modprobe record_skb
at_exit modprobe -r record_skb
insmod "$(program stretch.ko)"
at_exit rmmod stretch

is "$(status_of in_a trace-cmd record-skb --detail path -b 32768 -o "$OUT/trace.dat" -p 9000 -- \
	"$traffic" ask 10.9.0.2 9000 "${COUNT:-150}")" 0 "the recording of a busy client whose packets are sent by timers"
nothing_lost "$OUT/stderr"
balanced "$OUT/trace.dat"

# An event names the function that opened a gate. In the rows, this function must follow the gate, before
# another gate follows.
awk -f "$here/rows.awk" -f /dev/stdin "$OUT/raw" <<'END' >"$OUT/graphs" || fail "a graph is not whole"
!row() { next }
(event == "packet" || event == "call") && field("how") == 0 { opener[task] = field("func") }
event == "funcgraph_entry" && opener[task] && field("func") == "record_skb_gate" {
	if ((task, 1) in wanted)
		wrong("on the way into another gate")
	wanted[task, field("depth") + 1] = opener[task]
	opener[task] = ""
	graphs++
	next
}
event == "funcgraph_entry" && (task, field("depth")) in wanted && wanted[task, field("depth")] == field("func") {
	delete wanted[task, field("depth")]
}
event == "funcgraph_exit" && field("func") == "record_skb_gate" && (task, field("depth") + 1) in wanted {
	wrong("without " wanted[task, field("depth") + 1])
}
END { print graphs }
END
[ "$(cat "$OUT/graphs")" -ge 1000 ] || fail "there are only $(cat "$OUT/graphs") graphs"
