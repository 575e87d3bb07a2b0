#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: unloading and loading a driver with probe points during a recording does no harm, and the next recording works
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
trace-cmd record-skb -q -l veth_xmit -o "$OUT/first.dat" -p 9000 2>"$OUT/stderr" &
recording=$!
wait_for "the recording" armed
in_a ping -q -c 1 10.9.0.2 >/dev/null

# Unloading the driver removes its devices. Loading the driver again may put it at the same address or at
# another one. The test accepts both.
address() {
	grep -w veth_xmit /proc/kallsyms
}
before=$(address)
for _ in 1 2 3; do
	modprobe -r veth
	modprobe veth
done
[ "$(address)" != "$before" ] || echo "the driver has the same address again"
veth_link
in_a ping -q -c 1 10.9.0.2 >/dev/null

kill -INT "$recording"
status=0
wait "$recording" || status=$?
is "$status" 0 "the recording ends"
# A kernel without BTF lacks some probe points. The recorder reports each of them as "left out".
is "$(sed "/: left out\$/d" "$OUT/stderr")" "" "messages of the recorder"
is "$(cat "$tracing/enabled_functions")" "" "functions that are still traced"

echo_server B 9000
# Let socat read from a file. With EXEC, socat would have a child, and its SIGCHLD sometimes interrupts
# connect().
echo x >"$OUT/word"
is "$(status_of in_a trace-cmd record-skb -l veth_xmit -o "$OUT/trace.dat" -p 9000 -- \
	socat -u FILE:"$OUT/word" TCP:10.9.0.2:9000)" 0 "the next one"
trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"
has "$(cat "$OUT/report")" "$(line_of veth_xmit '#1 tcp 10.9.0.1:* > 10.9.0.2:9000')" "with the driver's function"
