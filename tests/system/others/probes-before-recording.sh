#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: other tracers (kprobe, function tracer, BPF) that have counted calls of a probe point since before a recording miss no call
# requires: nft nstat /sys/kernel/btf/vmlinux
# kernels: 6.1 6.12 debug
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/probe-counts.sh"

# This test does not run on the newest kernel, 7.3. That kernel itself warns about kretprobe-multi together
# with function_graph.

others_begin
agree "nothing is recorded" 0
record
agree "they were there before" $twice
record_ends
