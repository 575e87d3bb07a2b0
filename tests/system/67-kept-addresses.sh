#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: where functions are is kept for the boot: the next recording does not look for them, and has the same

. "$(dirname "$0")/lib.sh"

two_namespaces
kept=/run/record_skb.addresses
echo 'p:look_ups register_kprobe' >"$tracing/kprobe_events"
at_exit sh -c "echo >$tracing/kprobe_events"
others=$tracing/instances/others
mkdir "$others"
at_exit rmdir "$others"
echo 1 >"$others/events/kprobes/look_ups/enable"
at_exit sh -c "echo 0 >$others/events/kprobes/look_ups/enable"

look_ups() {
	awk '$1 == "look_ups" { print $2 }' "$tracing/kprobe_profile"
}

# recorded: record a ping. Prints how often the module looked a function up, and which functions the graph has.
recorded() {
	local before
	before=$(look_ups)
	trace-cmd record-skb -q -o kept.dat 'icmp or icmp6' -- ip netns exec A ping -q -c 3 10.9.0.2 >ping.out
	echo "$(($(look_ups) - before))"
	trace-cmd report -i kept.dat 2>/dev/null | sed -nE 's/.*funcgraph_entry: .* ([a-z_0-9]+)\(\).*/\1/p' |
		grep -xE 'icmp_rcv|ip_rcv|__ip_local_out|__dev_queue_xmit|raw_sendmsg|ping_v4_sendmsg|veth_xmit|gate_.*' | sort -u
}

# few COUNT: so many were looked up that it cannot have been all. From 6.5 on the list of functions has addresses, and
# but for functions of modules and those that this kernel lacks the first recording looks up none either.
few() {
	if [ -e "$tracing/available_filter_functions_addrs" ]; then
		[ "$1" -le 20 ]
	else
		[ $(($1 * 2)) -lt "$(head -n 1 first)" ]
	fi
}

rm -f /run/record_skb.*
recorded >first
if [ -e "$tracing/available_filter_functions_addrs" ]; then
	few "$(head -n 1 first)" || fail "$(head -n 1 first) functions were looked up, though the list has their addresses"
else
	[ "$(head -n 1 first)" -gt 30 ] || fail "only $(head -n 1 first) functions were looked up: this test shows nothing"
fi
[ "$(wc -l <first)" -gt 3 ] || fail "the graph has but $(cat first)"
recorded >second
few "$(head -n 1 second)" ||
	fail "$(head -n 1 first) functions were looked up, and then $(head -n 1 second)"
is "$(tail -n +2 second)" "$(tail -n +2 first)" "the same functions, looked up $(head -n 1 first) and $(head -n 1 second) times"

# What is not so is not believed.
cp "$kept" right
sed -E '2,$s/[0-9a-f]$/1/' right >"$kept"
recorded >wrong
is "$(tail -n +2 wrong)" "$(tail -n +2 first)" "the same functions with addresses of nothing"
[ "$(head -n 1 wrong)" -ge "$(head -n 1 first)" ] || fail "$(head -n 1 wrong) were looked up: others were believed"
sed -i '2s/.*/10/' "$kept"
recorded >junk
is "$(tail -n +2 junk)" "$(tail -n +2 first)" "the same functions with an address that is none"
recorded >again
few "$(head -n 1 again)" || fail "an address that is none is kept for ever"
printf 'another boot\n%s\n' "$(tail -n +2 right)" >"$kept"
recorded >reboot
is "$(tail -n +2 reboot)" "$(tail -n +2 first)" "the same functions with another boot's"
[ "$(head -n 1 reboot)" -ge "$(head -n 1 first)" ] || fail "another boot's addresses were taken"
ok "each that was not found there was looked up"
