#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: other tracers (kprobe, function tracer, BPF) that begin to count calls of a probe point during a recording miss no call
# requires: nft nstat /sys/kernel/btf/vmlinux
# tags: slow
# kernels: 6.1 6.12 debug
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/probe-counts.sh"

# This test does not run on the newest kernel, for the reason in others/probes-before-recording.

record
others_begin
agree "the probes were attached during the recording" $twice
record_ends
agree "it is over" 0
