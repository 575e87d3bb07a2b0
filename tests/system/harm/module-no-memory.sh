#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if an allocation fails in a call of the device under traffic, the call returns an error or works without the memory, and the next call succeeds
# requires: /sys/kernel/debug/failslab
# kernels: debug
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

# Some calls allocate hundreds of times, so let only every 23rd allocation fail.
# harm/module-no-memory-anywhere lets each of them fail.
stride=${STRIDE:-23}
random_seed

two_namespaces
echo_server B 9000
starve=$(program starve)
modprobe record_skb
at_exit modprobe -r record_skb
background_stream
# This test arms a ring. A packet that ends the ring switches tracing off, so switch tracing on again at the
# end.
at_exit sh -c "echo 1 >$tracing/tracing_on"

. "$here/failslab.sh"
is "$(status_of "$starve" $((1 + RANDOM % stride)) "$stride")" 0 "calls without memory: $(tee "$OUT/said" <"$OUT/stdout")"
has "$(cat "$OUT/said")" '^ARM: [1-9][0-9]* allocations failed, and [1-9][0-9]* calls' "arming was among the failed calls"
traffic_goes_on "after it"
stream_ends
