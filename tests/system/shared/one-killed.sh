#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: SIGKILL of one of several recordings, and of all its processes: the others are right, and its remains are removed
# requires: nft
# kernels: 6.12 6.12-rt 7.2 newest
# timeout: 480

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
two_namespaces
echo_server B 9000 7001
traffic=$(program traffic)
tracing_settings >before
in_b nft -f - <<-END
	table inet witness {
		counter right { }
		chain in { type filter hook input priority 0; tcp dport 9000 counter name right; }
		chain out { type filter hook output priority 0; tcp sport 9000 counter name right; }
	}
END

# record NAME PORT: begin a recording; sets $pid
record() {
	ip netns exec A trace-cmd record-skb --shared "${few[@]}" -o "$1.dat" -p "$2" 2>"$1.said" &
	pid=$!
	at_exit stop $pid
	wait_for "$1" grep -q "recording until" "$1.said"
}
idle() {
	[ -z "$(ip netns exec B ss -Htn state established state last-ack state close-wait state fin-wait-1)" ]
}
talk() {
	in_a "$traffic" talk 10.9.0.2 2 9000 7001
	wait_for "the end of all connections" idle
}
# keepers: print the pids of all recordings' keepers
keepers() {
	pgrep -x record-skb-keep || :
}
# without_number NUMBER: nothing in tracing belongs to this recording any more. Where the lists of functions must not change while
# function_graph is in use, its gate stays there for as long as others record.
without_number() {
	[ ! -e "$tracing/instances/record_skb_$1" ] && { [[ $VM_KERNEL != 6.12* ]] ||
		! grep -q "_$1\\>" "$tracing/set_graph_function" "$tracing/set_graph_notrace"; }
}
ends_right() {
	kill -INT "$right"
	wait "$right" || fail "its exit status was $?: $(cat right.said)"
	is "$(sed -n 's/ packets matched.*//p' right.said)" "$(packets_of B inet witness right)" "the other has its packets, as nftables counted them"
	nothing_lost right.said
	balanced right.dat
	owners right.dat
	in_b nft reset counters >counters
}

# Kill the first recording: the other one must restore the shared settings.
record killed 7001
killed=$pid
record right 9000
right=$pid
talk
kill -KILL "$killed"
wait_for "the end of what is left of it" without_number 1
trace-cmd report -i killed.dat >report
has "$(cat report)" "$(line_of tcp_v4_rcv '#* tcp 10.9.0.1:* > 10.9.0.2:7001')" "the packets until then are in the trace"
talk
ends_right
wait_for "an end of all" unrecorded
tracing_settings >after
diff -U 0 before after >&2 || fail "the settings of tracing have changed"
ok "the settings of tracing are restored"

# Kill it with its keeper and trace-cmd: no process is left to restore its settings.
record right 9000
right=$pid
before=$(keepers)
record killed 7001
killed=$pid
mine=$(comm -13 <(sort <<<"$before") <(keepers | sort))
[ "$(wc -w <<<"$mine")" = 1 ] || fail "not one keeper: $mine"
talk
# shellcheck disable=SC2046 # they are numbers
kill -KILL "$mine" "$killed" $(pgrep -P "$killed") $(pgrep -P "$(pgrep -P "$killed" | tr '\n' ',' | sed 's/,$//')")
wait "$killed" 2>/dev/null || :
talk
wait_for "its instance to be removed by the module" without_number 2
record next 7001
next=$pid
talk
kill -INT "$next"
wait "$next" || fail "the exit status of the next recording was $?: $(cat next.said)"
is "$(sed -n 's/ packets matched.*//p' next.said)" 20 "packets of the next recording"
nothing_lost next.said
balanced next.dat
owners next.dat
ends_right
wait_for "an end of all" unrecorded
tracing_settings >after
diff -U 0 before after >&2 || fail "the settings of tracing have changed"
ok "the settings of tracing are restored"
next_is_right
