#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: fprobe and BPF probes of returns that are attached and detached during a recording miss no return
# requires: nft /sys/kernel/btf/vmlinux
# kernels: 6.12 6.12-rt 7.2 newest
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/arp-returns.sh"

# Attach and detach the probes again and again.
begin_recording
for _ in {1..5}; do
	connections
	attach
	connections
	detach
done
connections
end_recording
is "$seen" "$calls" "attached five times: each of $calls returns is seen"
if [ "$VM_KERNEL" = 7.2 ] || [ "$VM_KERNEL" = newest ]; then
	has "$(cat "$OUT/stderr")" '^for [0-9.]* s other tracers used fgraph .[2-5] times' "the summary says how long"
fi
