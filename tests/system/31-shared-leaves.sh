#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: of one that shares, somebody looks at the instance at its end: all of it goes as soon as he lets go
# kernels: 6.12 6.12-rt 7.2 newest
# timeout: 180

. "$(dirname "$0")/lib.sh"

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
wait_for "somebody who looks" eval 'readlink "/proc/$reader/fd/"* | grep -q record_skb_1'
at_exit stop "$reader"
kill -INT "$recorder"
wait "$recorder"
has "$(cat said)" "cannot remove the instance 'record_skb_1'.* as soon as nobody has a file of it open" "it says that it stays"
[ -e "$tracing/instances/record_skb_1" ] || fail "it does not stay"
stop "$reader"
wait_for "the instance and the module to go" gone
tracing_settings >after
diff -U 0 before after >&2 || fail "tracing is not as it was"
ok "and nothing else stays"
