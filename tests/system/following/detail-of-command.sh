#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --detail path, --detail net, --module e1000 and -l select the recorded functions for a command's packets over e1000
# requires: /sys/kernel/btf/vmlinux
# vm: --nics
# timeout: 400

# Network: A (10.9.0.1) card --- hub --- card (10.9.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"
. "$here/nics.sh"
. "$here/over-e1000.sh"

# of_module: print the functions of e1000 that ftrace can trace
of_module() {
	sed -n 's/^\([^ ]*\) \[e1000\]$/\1/p' "$tracing/available_filter_functions" | sort -u
}

of_module >e1000
record path --detail path
is "$(functions path | comm -12 - e1000)" e1000_xmit_frame "path: of the driver its transmit function alone"
has_not "$(functions path)" '^(sk_alloc|ip_rcv_core|e1000_tx_map|__netif_receive_skb_one_core)$' \
	"path: nothing between the points"

record module --module e1000
has "$(functions module | comm -12 - e1000 | tr '\n' ' ')" 'e1000_.* e1000_' \
	"--module: functions of the driver"
is "$(functions module | comm -23 - e1000)" "$(functions path | comm -23 - e1000)" \
	"--module: functions of the path"

record net --detail net
for name in path module; do
	[ "$(stat -c %s $name.report)" -lt "$(stat -c %s net.report)" ] || fail "$name: no less than net"
done
size() {
	stat -c %s "$1.report"
}
ok "sizes of the reports: path $(size path), module $(size module), net $(size net) bytes"
is "$(functions path | comm -23 - <(functions net))" "" "functions of path that net lacks"

# record-skb itself finds the functions for -l. The witness is the list that the kernel makes for the same
# patterns.
list=(-l 'ip_*' -l 'icmp_r[ce]?*' -l 'ip_lo*' -l sock_sendmsg)
for pattern in 'ip_*' 'icmp_r[ce]?*' 'ip_lo*' sock_sendmsg; do
	echo "$pattern" >>"$tracing/set_ftrace_filter"
done
sed 's/ .*//' "$tracing/set_ftrace_filter" | sort >listed
echo >"$tracing/set_ftrace_filter"
record ours "${list[@]}"
has "$(functions ours | comm -12 - listed | tr '\n' ' ')" '^icmp_r.* ip_.* ip_output ' "-l: functions of the list"
is "$(functions ours | comm -23 - listed | comm -23 - <(functions path) | tr '\n' ' ')" "" "-l: functions that are neither probe points nor in the kernel's list"
