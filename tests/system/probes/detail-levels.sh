#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --detail net shows the path of a ping in less than 272 KB, --detail path only its probe points; --module adds a module's functions
# tags: long
# requires: /sys/kernel/btf/vmlinux
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"

cd "$OUT"
two_namespaces
tracing_settings >before

# record NAME ARGS…: record a ping. The recording is NAME.dat, and its report is NAME.report.
record() {
	local name=$1
	shift
	in_a trace-cmd record-skb -o "$name.dat" "$@" -- ping -q -c 1 10.9.0.2 >stdout 2>stderr ||
		fail "$name: $(cat stderr)"
	has "$(cat stderr)" ' 0 lost' "$name: nothing was lost"
	balanced "$name.dat"
	trace-cmd report -i "$name.dat" >"$name.report"
}

# functions NAME: print the functions in NAME.report
functions() {
	sed -n 's/.*funcgraph_entry:.*[| ] \([A-Za-z_][A-Za-z0-9_.]*\)().*/\1/p' "$1.report" | sort -u
}

# On kernels that inline sock_sendmsg(), accept security_socket_sendmsg(), which sock_sendmsg() calls. The
# call that reads is compared separately, because it may begin before the reply arrives.
story=(__sys_socket __sys_sendto 'sock_sendmsg|__sock_sendmsg|security_socket_sendmsg' inet_sendmsg 'ping_v4_sendmsg|raw_sendmsg'
	'ping_v4_push_pending_frames|ip_push_pending_frames' ip_output __dev_queue_xmit dev_hard_start_xmit veth_xmit
	ip_rcv icmp_rcv icmp_echo veth_xmit ip_rcv icmp_rcv)

record net --detail net
in_order net.report "${story[@]}"
in_order net.report __sys_sendto ip_output __sys_recvmsg sock_recvmsg
[ "$(stat -c %s net.report)" -lt $((272 * 1024)) ] || fail "net: $(stat -c %s net.report) bytes"
ok "net: $(stat -c %s net.report) bytes, $(wc -l <net.report) lines"
has_not "$(functions net)" '^(mutex_|kmem_cache_|__?kmalloc|_raw_spin|rcu_|ktime_|schedule$)' "net: nothing but networking"
has "$(functions net)" '^(sk_alloc|sock_alloc_send_pskb|inet_create)$' "net: functions between the probe points"

record path --detail path
is "$(functions path | grep -cE '^(sk_alloc|sock_alloc_send_pskb|inet_create|ip_rcv_core)$')" 0 "path: functions between the probe points"
in_order path.report __sys_socket __sys_sendto ip_output __dev_queue_xmit dev_hard_start_xmit veth_xmit ip_rcv icmp_rcv \
	veth_xmit ip_rcv icmp_rcv
in_order path.report __sys_sendto ip_output sock_recvmsg
[ "$(stat -c %s path.report)" -lt "$(stat -c %s net.report)" ] || fail "path: more than net"

record module --module veth
has "$(functions module)" '^veth_' "module: the module's functions beside the probe points"
is "$(functions module | grep -cE '^(sk_alloc|sock_alloc_send_pskb|ip_rcv_core)$')" 0 "module: other functions"

# The patterns of -l overlap, so they match many functions more than once. Still, no function may be left out.
record all -l 'i*' -l 's*' -l '*'
has "$(functions all | tr '\n' ' ')" ' kmem_cache_alloc.* validate_xmit_skb[^ ]* .* xfrm_lookup_route ' "-l '*': the last of all functions is included"

tracing_settings >after
diff -U 0 before after >&2 || fail "the settings of tracing have changed"
ok "the settings of tracing are restored"

is "$(status_of trace-cmd record-skb --module no_such -- true)" 125 "no such module: exit status"
has "$(cat stderr)" "^trace-cmd record-skb: the module 'no_such' does not exist" "no such module: message"
is "$(status_of trace-cmd record-skb --detail most -- true)" 125 "no such detail: exit status"
has "$(cat stderr)" "'most' is not a value of --detail" "no such detail: message"
