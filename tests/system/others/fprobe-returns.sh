#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: fprobe and BPF probes of returns that are older than a recording miss no return
# requires: nft /sys/kernel/btf/vmlinux
# kernels: 6.12 6.12-rt 7.2 newest
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/arp-returns.sh"

# Attach the probes before function_graph has had any user since the boot.
attach
if grep -q ' ret:fprobe_' "$tracing/enabled_functions"; then
	is "$(status_of trace-cmd record-skb -o "$OUT/trace.dat" -p 9000 -- true)" 125 "the kernel would warn"
	has "$(cat "$OUT/stderr")" 'fprobe traces returns of arp_rcv .*--force' "the message names the function"
	[ ! -e "$OUT/trace.dat" ] || fail "there is a trace.dat"
fi
connections
detach
is "$seen" "$calls" "nothing is recorded: each of $calls returns is seen"

# Now attach the probes before the recording, and detach them during it.
seen=0 calls=0
attach
begin_recording
connections
detach
end_recording
[ "$calls" -ge 12 ] || fail "only $calls calls of arp_rcv()"
is "$seen" "$calls" "attached from the start: each of $calls returns is seen"
has "$(trace-cmd report-skb --list -i "$OUT/trace.dat")" 'delivered to a socket' "the packets are recorded"
