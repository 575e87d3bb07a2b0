#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: two threads make hostile calls of the device under traffic, with any function as a probe point and invalid addresses
# timeout: 600

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
echo_server B 9000
hostile=$(program hostile)
modprobe record_skb
at_exit modprobe -r record_skb
background_stream

trace-cmd record-skb --list-points >"$OUT/table"
# Choose functions from the whole kernel, and more often functions that have a packet argument.
{
	shuf -n 2000 --random-source=/bin/bash "$tracing/available_filter_functions"
	for _ in 1 2 3; do
		grep -E '(skb|^ip6?_|^tcp_|^udp|^sock|^inet|^dev_|^neigh|^netif|^nf_)' "$tracing/available_filter_functions"
	done
	# Without BTF, as on the debug kernel, the module accepts only the functions in its own table.
	[ -e /sys/kernel/btf/vmlinux ] || awk '!/^#/ { for (i = 0; i < 300; i++) print $1 }' "$OUT/table"
} >"$OUT/functions"
random_seed
"$hostile" "${HOSTILE_CALLS:-20000}" "$seed" "$OUT/functions" >"$OUT/done" || fail "it did not finish"
has "$(cat "$OUT/done")" '^[1-9][0-9]+ points, armed [1-9][0-9]* times$' "$(cat "$OUT/done")"
traffic_goes_on "after it"
stream_ends
