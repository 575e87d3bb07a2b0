#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: what is said of children left behind, of no packets, of a damaged module, and by --check
# timeout: 300

. "$(dirname "$0")/lib.sh"

two_namespaces
record() {
	status_of in_a trace-cmd record-skb "${few[@]}" -o "$OUT/trace.dat" "$@"
}

is "$(record -p 9 -- true)" 0 "no packet"
has "$(cat "$OUT/stderr")" '^0 packets matched' "it says so"
has "$(cat "$OUT/stderr")" "tcpdump -n -i any \"port 9\"" "and what to try"
has_not "$(cat "$OUT/stderr")" 'still run' "and of no children"

is "$(record -- sh -c "for i in 1 2; do sleep 1000 & echo \$! >>$OUT/left; done; ping -q -c 1 10.9.0.2")" 0 \
	"a command that leaves children"
has "$(cat "$OUT/stderr")" '^the recording ended with the command; 2 processes that it started still run$' "they are told of"
# shellcheck disable=SC2046 # two words
kill $(cat "$OUT/left")

# A namespace by a name that is also a number, of which there is no process.
ip netns add 99999
at_exit ip netns del 99999
ip -n 99999 link set lo up
is "$(status_of trace-cmd record-skb "${few[@]}" --netns 99999 -o "$OUT/trace.dat" icmp -- \
	ip netns exec 99999 ping -q -c 1 127.0.0.1)" 0 "a namespace whose name is a number"
has "$(cat "$OUT/stderr")" '^2 packets matched' "is the one of that name"

trace-cmd record-skb --check >"$OUT/check" || fail "--check: $(cat "$OUT/check")"
has "$(cat "$OUT/check")" '^ok +tracer +function_graph$' "--check: function_graph"
has "$(cat "$OUT/check")" '^ok +module +/.*/record_skb\.ko' "--check: the module"
has "$(cat "$OUT/check")" '^ok +plugin +/.*/plugin_record_skb\.so$' "--check: the plugin"
has "$(cat "$OUT/check")" '^a recording is possible$' "--check: all is there"
! grep -q '^record_skb ' /proc/modules || fail "--check has loaded the module"

echo function >"$tracing/current_tracer"
at_exit sh -c "echo nop >$tracing/current_tracer"
is "$(status_of trace-cmd record-skb --check)" 125 "--check while somebody traces"
has "$(cat "$OUT/stdout")" '^LACKS +other tracing +somebody is tracing' "it says so"
is "$(record -p 9 -- true)" 125 "a recording then"
has "$(cat "$OUT/stderr")" 'somebody is tracing: .*record-skb --check' "points to --check"
echo nop >"$tracing/current_tracer"

module=$(modinfo -n record_skb)
cp "$module" /tmp/record_skb.saved
at_exit cp /tmp/record_skb.saved "$module"
echo junk >"$module"
is "$(record -p 9 -- true)" 125 "a file that is no module"
has "$(cat "$OUT/stderr")" 'is damaged: it is no kernel module' "it is not called one for another kernel"
