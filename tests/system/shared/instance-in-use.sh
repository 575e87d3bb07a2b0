#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if a file of a shared recording's instance is open when the recording ends, the instance is removed as soon as the file is closed
# kernels: 6.12 6.12-rt 7.2 newest
# timeout: 180

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
two_namespaces
tracing_settings >before
gone() {
	[ ! -e "$tracing/instances/record_skb_1" ] && ! grep -q '^record_skb ' /proc/modules
}

trace-cmd record-skb --shared -o one.dat -p 9000 2>said &
recorder=$!
at_exit stop "$recorder"
wait_for "the recording" grep -q "recording until" said
tail -f "$tracing/instances/record_skb_1/trace" >seen 2>&1 &
reader=$!
wait_for "a process that reads the instance" eval 'readlink "/proc/$reader/fd/"* | grep -q record_skb_1'
at_exit stop "$reader"
kill -INT "$recorder"
wait "$recorder"
has "$(cat said)" "cannot remove the tracing instance 'record_skb_1'.* will be removed when no process has its files open" "the message says that the instance stays"
[ -e "$tracing/instances/record_skb_1" ] || fail "the instance was removed"
stop "$reader"
wait_for "the instance and the module to go" gone
tracing_settings >after
diff -U 0 before after >&2 || fail "the settings of tracing have changed"
ok "nothing else is left"
