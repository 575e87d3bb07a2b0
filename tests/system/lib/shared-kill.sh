# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# shared-kill.sh - two shared recordings, of ports 9000 and 7001, and what may be left of a recording that is
# killed
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$here/shared.sh"
two_namespaces
echo_server B 9000 7001
tracing_settings >before
in_b nft -f - <<-END
	table inet witness {
		counter right { }
		chain in { type filter hook input priority 0; tcp dport 9000 counter name right; }
		chain out { type filter hook output priority 0; tcp sport 9000 counter name right; }
	}
END

talk() {
	in_a "$traffic" talk 10.9.0.2 2 9000 7001
	wait_for "the end of all connections" idle
}

# without_number NUMBER: true if all settings of tracing that belonged to the recording NUMBER are gone. On
# kernels other than 6.12, ignore the gate of this recording in the lists of functions. There, the lists
# must not change while function_graph is in use, so the gate stays in them while other recordings run.
without_number() {
	[ ! -e "$tracing/instances/record_skb_$1" ] && { [[ $VM_KERNEL != 6.12* ]] ||
		! grep -q "_$1\\>" "$tracing/set_graph_function" "$tracing/set_graph_notrace"; }
}
# begin NAME PORT: start a recording of PORT, and wait until it has begun
begin() {
	record "$1" "${few[@]}" -p "$2"
	recorded "$1"
}
ends_right() {
	kill -INT "$right"
	wait "$right" || fail "its exit status was $?: $(cat right.said)"
	right right right
	own_rows right :9000
	in_b nft reset counters >counters
}

# settings_restored: check that all recordings have ended, and that the settings of tracing are as before
settings_restored() {
	wait_for "an end of all" unrecorded
	tracing_settings >after
	diff -U 0 before after >&2 || fail "the settings of tracing have changed"
	ok "the settings of tracing are restored"
}
