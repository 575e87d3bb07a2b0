#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: trace-cmd record-skb -- ping -c1 HOST over e1000 shows the complete path in order, and nothing of three other processes with traffic
# tags: slow
# vm: --nics
# timeout: 400

# Network: A (10.9.0.1) card --- hub --- card (10.9.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"
. "$here/nics.sh"

cd "$OUT"
nics e1000
# Use large transmit rings. While a busy machine patches all functions, it has no CPU time to remove sent
# packets from a transmit ring. If a ring is full for five seconds, the driver resets the card. The reset
# also happens when trace-cmd alone records all functions.
in_a ethtool -G "$nic_a" tx 4096
in_b ethtool -G "$nic_b" tx 4096
neighbours_are_known
anyone_pings
noise_servers B
noise

# On kernels that inline sock_sendmsg(), accept security_socket_sendmsg(), which sock_sendmsg() calls.
story=(__sys_socket=call
	"(__)?sock_sendmsg|security_socket_sendmsg=call icmp"
	"inet_sendmsg=call icmp"
	"ping_v4_sendmsg|raw_sendmsg=call icmp .* > 10\.9\.0\.2"
	"ip_send_skb|ip_push_pending_frames|ping_v4_push_pending_frames=icmp .* > 10\.9\.0\.2"
	"ip_output=#1 icmp 10\.9\.0\.1 > 10\.9\.0\.2 echo request"
	"__dev_queue_xmit=#1 icmp .* echo request"
	"dev_hard_start_xmit=#1 icmp .* echo request"
	"e1000_xmit_frame=#1 icmp .* echo request"
	"(napi_)?gro_receive(_skb)?|netif_receive_skb_list_internal=icmp 10\.9\.0\.2 > 10\.9\.0\.1 echo reply"
	"ip(_list|_sublist)?_rcv=icmp 10\.9\.0\.2 > 10\.9\.0\.1 echo reply"
	"icmp_rcv=icmp .* echo reply"
	"ping_rcv|ping_queue_rcv_skb=icmp .* echo reply")

# record NAME ARGS…: record a ping. The recording is NAME.dat, and its reports are NAME.report and NAME.raw.
record() {
	local name=$1 before
	shift
	before=$(noise_sent)
	is "$(with_link status_of in_a trace-cmd record-skb -o "$name.dat" "$@" -- \
		sh -c 'echo $$ >ping; exec ping -c1 10.9.0.2')" 0 "$name: exit status"
	[ "$(noise_sent)" -gt $((before + 10)) ] || fail "$name: there was no other traffic"
	nothing_lost stderr
	nothing_of_noise "$name.dat"
	mv report "$name.report"
	mv raw "$name.raw"
	is "$(list_followed tasks "$name.raw")" "$(cat ping)" "$name: socket calls of the one ping alone"
	is "$(list_followed flows "$name.raw" | wc -l)" 1 "$name: packets of its one flow"
	in_order "$name.report" "${story[@]}"
	# The call that reads the answer may begin before the answer arrives, but must end after it.
	has "$(cat "$name.report")" "$(line_of sock_recvmsg 'call icmp')" "$name: ping reads"
	has "$(sed "1,/ping_\(queue_\)\?rcv.*echo reply/d" "$name.report")" "return: +call [0-9]+ __sys_recvmsg = 64" \
		"$name: and gets the reply"
}

record full --detail full
has "$(cat full.report)" 'kmem_cache_alloc|_raw_spin_lock|mutex_lock' "full: every function of the kernel"

record net
size=$(stat -c %s net.report)
[ "$size" -lt $((272 * 1024)) ] || fail "net: a report of $size bytes"
ok "net: a report of $size bytes, less than the 272 KB of the chapter"
