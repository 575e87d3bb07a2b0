#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a traceoff command in another user's function filter does not end a recording, and is restored afterwards
# timeout: 120

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
# If record-skb did not remove the command "traceoff", tracing would be switched off at the first ping. The
# command is set for icmp_echo(), which handles only pings. Packets that end a connection of an earlier test
# do not reach this function.
echo 'icmp_echo:traceoff' >>"$tracing/set_ftrace_filter"
at_exit sh -c "echo '!icmp_echo:traceoff' >>$tracing/set_ftrace_filter"
tracing_settings >before
is "$(status_of trace-cmd record-skb -o command.dat -p 9000 -- ping -q -c 1 127.0.0.1)" 0 "a recording where only a command is set"
tracing_settings >after
diff -U 0 before after >&2 || fail "the command was not restored"
has "$(trace-cmd report -i command.dat 2>/dev/null)" "$(line_of ip_rcv '# icmp 127.0.0.1 > 127.0.0.1 echo reply')" \
	"the last packet, after a packet at the command's function"
