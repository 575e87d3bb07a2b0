#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --detail net tells a ping's story in less than 272 KB, path the probe points alone, --module adds a module
# requires: /sys/kernel/btf/vmlinux
# timeout: 300

. "$(dirname "$0")/lib.sh"
. "$here/follow.sh"

cd "$OUT"
two_namespaces
tracing_settings >before

# record NAME ARGS…: a ping's story, as NAME.dat and NAME.report
record() {
	local name=$1
	shift
	in_a trace-cmd record-skb -o "$name.dat" "$@" -- ping -q -c 1 10.9.0.2 >stdout 2>stderr ||
		fail "$name: $(cat stderr)"
	has "$(cat stderr)" ' 0 lost' "$name: nothing was lost"
	balanced "$name.dat"
	trace-cmd report -i "$name.dat" >"$name.report"
}

# functions NAME: those that the report shows
functions() {
	sed -n 's/.*funcgraph_entry:.*[| ] \([A-Za-z_][A-Za-z0-9_.]*\)().*/\1/p' "$1.report" | sort -u
}

# Newer kernels have the function in the middle inlined: then its check stands for it. Who reads may do so before the
# reply is there, and waits then: that is asked apart.
story=(__sys_socket __sys_sendto 'sock_sendmsg|__sock_sendmsg|security_socket_sendmsg' inet_sendmsg 'ping_v4_sendmsg|raw_sendmsg'
	'ping_v4_push_pending_frames|ip_push_pending_frames' ip_output __dev_queue_xmit dev_hard_start_xmit veth_xmit
	ip_rcv icmp_rcv icmp_echo veth_xmit ip_rcv icmp_rcv)

record net --detail net
in_order net.report "${story[@]}"
in_order net.report __sys_sendto ip_output __sys_recvmsg sock_recvmsg
[ "$(stat -c %s net.report)" -lt $((272 * 1024)) ] || fail "net: $(stat -c %s net.report) bytes"
ok "net: $(stat -c %s net.report) bytes, $(wc -l <net.report) lines"
has_not "$(functions net)" '^(mutex_|kmem_cache_|__?kmalloc|_raw_spin|rcu_|ktime_|schedule$)' "net: nothing but networking"
has "$(functions net)" '^(sk_alloc|sock_alloc_send_pskb|inet_create)$' "net: what is between the points"

record path --detail path
is "$(functions path | grep -cE '^(sk_alloc|sock_alloc_send_pskb|inet_create|ip_rcv_core)$')" 0 "path: nothing between the points"
in_order path.report __sys_socket __sys_sendto ip_output __dev_queue_xmit dev_hard_start_xmit veth_xmit ip_rcv icmp_rcv \
	veth_xmit ip_rcv icmp_rcv
in_order path.report __sys_sendto ip_output sock_recvmsg
[ "$(stat -c %s path.report)" -lt "$(stat -c %s net.report)" ] || fail "path: more than net"

record module --module veth
has "$(functions module)" '^veth_' "module: a module's functions beside the points"
is "$(functions module | grep -cE '^(sk_alloc|sock_alloc_send_pskb|ip_rcv_core)$')" 0 "module: and no others"

# However often a function is named: none of the others is left out for it.
record all -l 'i*' -l 's*' -l '*'
has "$(functions all | tr '\n' ' ')" ' kmem_cache_alloc.* validate_xmit_skb[^ ]* .* xfrm_lookup_route ' "-l '*': the last of all functions, too"

tracing_settings >after
diff -U 0 before after >&2 || fail "tracing is not as it was"
ok "tracing is as it was"

is "$(status_of trace-cmd record-skb --module no_such -- true)" 125 "no such module: exit status"
has "$(cat stderr)" "^trace-cmd record-skb: there is no module 'no_such'" "no such module: said"
is "$(status_of trace-cmd record-skb --detail full --module veth -- true)" 125 "full and a module: exit status"
is "$(status_of trace-cmd record-skb --detail most -- true)" 125 "no such detail: exit status"
has "$(cat stderr)" "'most' is not a detail" "no such detail: said"
