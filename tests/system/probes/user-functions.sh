#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: -g makes functions with a packet or socket argument probe points, also by a glob, and refuses any other function by name
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
two_namespaces

# refused REASON ARGS…: check that the command records nothing, changes nothing, and prints one line with
# REASON
refused() {
	local reason=$1
	shift
	rm -f trace.dat
	is "$(status_of in_a trace-cmd record-skb "$@" -- ping -q -c 1 10.9.0.2)" 125 "$*: exit status"
	is "$(wc -l <stderr)" 1 "$*: one line"
	has "$(cat stderr)" "$reason" "$*: the reason"
	[ ! -s stdout ] || fail "$*: the command ran"
	[ ! -e trace.dat ] || fail "$*: it left a trace.dat"
	unrecorded || fail "$*: something is left"
}

refused "this kernel has no function 'no_such_function'" -g no_such_function
refused "no function of this kernel matches 'no_such_\*'" -g 'no_such_*'
refused "schedule cannot be a probe point: none of its arguments is a packet" -g schedule
refused "__skb_flow_dissect cannot be a probe point: it has more than six arguments" -g __skb_flow_dissect
refused "kfree_skbmem cannot be a probe point: its struct sk_buff is not a packet" -g kfree_skbmem
refused "security_sk_free cannot be a probe point: its socket is not initialized yet" -g security_sk_free
refused "security_socket_sendmsg cannot be a probe point: a BPF program can make the kernel skip it" -g security_socket_sendmsg
# trace-cmd itself accepts patterns that match no function, without a message. If -l matched no function,
# trace-cmd would trace all functions.
refused "-l no_such_function: ftrace cannot trace a function with this name now" -l 'ip_*' -l no_such_function
refused "-n no_such_\\*: ftrace cannot trace a function" -n 'no_such_*'
# A single unusable function is enough to refuse the recording.
refused "schedule cannot be" -g icmp_echo -g schedule
notrace=$(awk '$2 ~ /[tT]/ && $3 ~ /^notrace_|^ftrace_caller$|^do_idle$|^native_sched_clock$/ { print $3; exit }' /proc/kallsyms)
[ -z "$notrace" ] || grep -q "^$notrace\$" "$tracing/available_filter_functions" ||
	refused "$notrace cannot be a probe point: ftrace cannot trace it" -g "$notrace"
variant=$(awk '{ has[$1] = 1 } END { for (name in has) if (match(name, /\.isra\.0$/)) {
	name = substr(name, 1, RSTART - 1); if (!(name in has) && !(name ".part.0.isra.0" in has)) { print name; exit } } }' \
	"$tracing/available_filter_functions")
[ -z "$variant" ] || refused "this kernel has only its variant $variant.isra.0" -g "$variant"

# Use a function with an skb, a function with a socket, a glob, and a function of a module.
in_a trace-cmd record-skb "${few[@]}" -g icmp_echo -g inet_send_prepare -g 'ip_finish_output*' -g veth_xmit \
	-- ping -q -c 1 10.9.0.2 >stdout 2>stderr || fail "$(cat stderr)"
nothing_lost stderr
balanced trace.dat
trace-cmd report >report
has "$(cat report)" "$(line_of icmp_echo '#1 icmp 10.9.0.1 > 10.9.0.2 echo request')" "an skb's function"
has "$(cat report)" "$(line_of inet_send_prepare 'call icmp')" "a socket's function"
has "$(cat report)" 'packet: +#2 ip_finish_output2 - icmp 10.9.0.2' "a function that the glob matches"
has "$(cat report)" 'packet: +#1 veth_xmit tx icmp .* dev=va ' "a driver's transmit function keeps its direction"

listed=$(trace-cmd record-skb --list-points 'icmp*_rcv')
has "$listed" '^icmp_rcv +rx +skb +of argument 0 .*without -g too' "the list knows the table"
has "$(trace-cmd record-skb --list-points=inet_send_prepare)" '^inet_send_prepare +- +sock +of argument 0' \
	"the list names the argument"
is "$(status_of trace-cmd record-skb --list-points schedule)" 125 "a function without a packet: exit status"
has "$(cat stderr)" 'none of its arguments' "the message gives the reason"
