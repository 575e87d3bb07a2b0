#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: BPF misses no return even if kprobes are switched off, which the module uses to notice other users of fgraph
# requires: nft /sys/kernel/btf/vmlinux
# kernels: 7.2 newest
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
two_namespaces
. "$(dirname "$0")/../lib/bpf.sh"
count_pings
echo_server B 9000
enabled=/sys/kernel/debug/kprobes/enabled

begin_recording
echo 0 >$enabled
at_exit sh -c "echo 1 >$enabled"
# The module looks for other users of fgraph four times per second, so wait until it has noticed this change.
sleep 1
visit
visit
end_recording
is "$seen" "$pings" "switched off during the recording: each of $pings returns is seen"

begin_recording
end_recording
has "$(cat "$OUT/stderr")" '^for [0-9.]* s kprobes could not be used' "switched off before it: the summary says so"
