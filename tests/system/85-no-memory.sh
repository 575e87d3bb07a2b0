#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: an allocation of each call of the device fails, under traffic: the call says so or does without, and the next succeeds
# requires: /sys/kernel/debug/failslab
# kernels: debug
# timeout: 300

. "$(dirname "$0")/lib.sh"

# Of some calls there are hundreds; 87-no-memory-anywhere.sh has them all.
stride=${STRIDE:-23}
seed=${STARVE_SEED:-$(date +%s)}
echo "seed $seed"
RANDOM=$seed

two_namespaces
echo_server B 9000
starve=$(program starve)
modprobe record_skb
at_exit modprobe -r record_skb
background_stream
# The ring that it sets is ended by a packet.
at_exit sh -c "echo 1 >$tracing/tracing_on"

failslab=/sys/kernel/debug/failslab
for setting in ignore-gfp-wait verbose; do
	at_exit sh -c "echo $(cat $failslab/$setting) >$failslab/$setting"
done
# Those that may wait for memory, too; and the kernel is to tell its own complaints only.
echo N >$failslab/ignore-gfp-wait
echo 0 >$failslab/verbose
is "$(status_of "$starve" $((1 + RANDOM % stride)) "$stride")" 0 "calls without memory: $(tee "$OUT/said" <"$OUT/stdout")"
has "$(cat "$OUT/said")" '^ARM: [1-9][0-9]* allocations failed, [1-9][0-9]* times it did' "arming failed, too"
traffic_goes_on "after it"
stream_ends
