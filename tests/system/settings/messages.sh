#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: messages about child processes that still run, a namespace with a number as its name, and a damaged module; hints to use --check
# tags: long
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
record() {
	status_of in_a trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" "$@"
}

is "$(record -- sh -c "for i in 1 2; do sleep 1000 & echo \$! >>$OUT/left; done; ping -q -c 1 10.9.0.2")" 0 \
	"a command that leaves children"
has "$(cat "$OUT/stderr")" '^the recording ended with the command; 2 processes that it started still run: to record one, use --pid PID$' "the message about the processes"
# shellcheck disable=SC2046 # the output has two words
kill $(cat "$OUT/left")

# The name of this namespace is a number, but no process has this PID.
ip netns add 99999
at_exit ip netns del 99999
ip -n 99999 link set lo up
is "$(status_of trace-cmd record-skb "${few[@]}" --netns 99999 -o "$OUT/trace.dat" icmp -- \
	ip netns exec 99999 ping -q -c 1 127.0.0.1)" 0 "a namespace whose name is a number"
has "$(cat "$OUT/stderr")" '^2 packets matched' "the namespace with this name is used"

echo function >"$tracing/current_tracer"
at_exit sh -c "echo nop >$tracing/current_tracer"
is "$(record -p 9 -- true)" 125 "a recording then"
has "$(cat "$OUT/stderr")" 'tracing is in use: .*record-skb --check' "the message points to --check"
echo nop >"$tracing/current_tracer"

module=$(modinfo -n record_skb)
cp "$module" /tmp/record_skb.saved
at_exit cp /tmp/record_skb.saved "$module"
echo junk >"$module"
is "$(record -p 9 -- true)" 125 "a file that is not a module"
has "$(cat "$OUT/stderr")" 'is damaged: it is not a kernel module' "the module is called damaged, not built for another kernel"
