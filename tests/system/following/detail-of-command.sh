#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --detail path, --detail net, --module virtio_net and -l select the recorded functions for a command's packets over virtio_net
# requires: /sys/kernel/btf/vmlinux
# tags: slow
# vm: --nics
# timeout: 400

# Network: A (10.9.0.1) card --- hub --- card (10.9.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"
. "$here/nics.sh"
# Do not use e1000 here: on arm64, the compiler inlines all functions that the transmit function of e1000
# calls.
driver=virtio_net
. "$here/over-nics.sh"

# of_module: print the functions of virtio_net that ftrace can trace
of_module() {
	sed -n 's/^\([^ ]*\) \[virtio_net\]$/\1/p' "$tracing/available_filter_functions" | sort -u
}

of_module >driver
record path --detail path
is "$(functions path | comm -12 - driver)" start_xmit "path: of the driver its transmit function alone"
has_not "$(functions path)" '^(sk_alloc|ip_rcv_core|free_old_xmit(_skbs)?|__netif_receive_skb_one_core)$' \
	"path: nothing between the points"

record module --module virtio_net
has "$(functions module | comm -12 - driver | tr '\n' ' ')" "(^| )free_old_xmit(_skbs)? .*start_xmit " \
	"--module: functions of the driver"
is "$(functions module | comm -23 - driver)" "$(functions path | comm -23 - driver)" \
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
