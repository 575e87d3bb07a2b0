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

# What passed by instead, by the namespace's own counters, and which socket comes near.
ip_of() { # NAMESPACE
	ip netns exec "$1" cat /proc/net/snmp /proc/net/snmp6 | awk '$1 == "Ip:" && $2 ~ /^[0-9]/ { n += $4 + $11 }
		$1 == "Ip6InReceives" || $1 == "Ip6OutRequests" { n += $2 } END { print n }'
}
server B 9000
is "$(record -p 9000 --netns A -- true)" 0 "no packet in a namespace"
has "$(cat "$OUT/stderr")" '^a socket with that port is in network namespace B$' "the nearest miss: another namespace"
before=$(ip_of A)
{
	wait_for "the recording" [ -e "$OUT/going" ]
	in_a socat -u OPEN:/dev/null TCP:10.9.0.2:9000
	in_a ping -q -c 3 -i 0.2 10.9.0.2
	touch "$OUT/done"
} >/dev/null &
is "$(record -p 9001 --host 10.9.0.2 -- sh -c "touch $OUT/going; until [ -e $OUT/done ]; do sleep 0.1; done")" 0 "no packet of a port"
counted=$(sed -n 's/^meanwhile IP had \([0-9]*\) packets here$/\1/p' "$OUT/stderr")
# Six of the pings, six of the connection.
[ "${counted:-0}" -ge 12 ] && [ "$counted" -le $(($(ip_of A) - before)) ] || fail "passed by: $(cat "$OUT/stderr")"
ok "packets that passed by are counted: $counted"
has "$(cat "$OUT/stderr")" "^meanwhile IP had [0-9]+ packets in network namespace B$" "in the other namespace, too"
has "$(cat "$OUT/stderr")" '^no socket of this machine has that host and port now; with that host there is port 9000$' "the nearest miss: another port"

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
version=$({ trace-cmd version || :; } | sed -n "s/^trace-cmd version \([0-9.]*\).*/\1/p")
[ -n "$version" ] || fail "trace-cmd does not say its version"
has "$(cat "$OUT/check")" "^ok +trace-cmd +/.*/trace-cmd, version $version\$" "--check: trace-cmd's version"
has "$(cat "$OUT/check")" '^ok +registers +ftrace_regs_caller$' "--check: ftrace's registers"
has "$(cat "$OUT/check")" '^a recording is possible$' "--check: all is there"
! grep -q '^record_skb ' /proc/modules || fail "--check has loaded the module"

# lacking WHAT SAID MEND BREAK BACK: after BREAK a row says so and how to mend it, after BACK it does no more.
lacking() {
	eval "$4"
	trace-cmd record-skb --check >"$OUT/check" 2>&1 || :
	has "$(cat "$OUT/check")" "^(LACKS  |without) +$1 +.*$2" "--check: $1 is lacking"
	has "$(grep -A 1 -E "^(LACKS  |without) +$1 " "$OUT/check")" "to mend it: .*$3" "and what mends it"
	eval "$5"
	has_not "$(trace-cmd record-skb --check)" "^(LACKS  |without) +$1 " "mended, it is not"
}
hide() { mv "$1" "$1.hidden"; }
show() { mv "$1.hidden" "$1"; }
plugin=$(sed -n 's/^ok *plugin *//p' "$OUT/check")
reporter=$(command -v trace-cmd-report-skb)
lacking ftrace 'kernel.ftrace_enabled is 0' 'sysctl kernel.ftrace_enabled=1' 'sysctl -q kernel.ftrace_enabled=0' 'sysctl -q kernel.ftrace_enabled=1'
lacking plugin 'not where libtraceevent looks' 'make install' "hide $plugin" "show $plugin"
lacking report-skb 'not installed' 'make install' "hide $reporter" "show $reporter"
lacking trace-cmd 'not installed' 'apt install trace-cmd' 'hide /usr/bin/trace-cmd' 'show /usr/bin/trace-cmd'
is "$(status_of setpriv --reuid 65534 --clear-groups trace-cmd record-skb --check)" 125 "--check as nobody"
has "$(cat "$OUT/stdout")" '^LACKS +rights +you are not root$' "says who may"
has "$(cat "$OUT/stdout")" 'to mend it: run it by sudo$' "and how"

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
