#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report shows which program of a route (lwt) or of a netfilter hook dropped a packet
# requires: tc jq ip

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/hook-programs.sh"

# send_refused: record three datagrams to port 9001, and check that the program has run for each of them
send_refused() {
	three_datagrams 10.9.0.2 'udp port 9001'
	[ "$runs_now" -ge 3 ] || fail "the program has run $runs_now times"
	trace-cmd report-skb --why -i "$OUT/trace.dat" >"$OUT/why"
	cat "$OUT/why"
}

mount_bpf
begin_programs A lwt-xmit /tmp/bpf/fw_main fw_main 2 9001
ip -n A route add 10.9.0.2/32 encap bpf xmit pinned /tmp/bpf/fw_main dev va
send_refused
is "$(grep -c "dropped by lwt program fw_main (id $id) on va\$" "$OUT/packets")" 3 "packets that the program of the route dropped"
has "$(cat "$OUT/why")" "see: bpftool prog show id $id\$" "the command that shows the program"
ip -n A route del 10.9.0.2/32
end_programs
rm /tmp/bpf/fw_main

case $(uname -r) in
6.[0-3].*)
	ok "this kernel has no netfilter programs"
	exit
	;;
esac
# Test a program of the netfilter hook NF_INET_LOCAL_IN.
begin_programs B netfilter 1 fw_main 0 9001
send_refused
is "$(grep -c "dropped by netfilter program fw_main (id $id)\$" "$OUT/packets")" 3 "packets that the netfilter program dropped"
has "$(cat "$OUT/why")" "see: bpftool prog show id $id\$" "the command that shows the program"
end_programs
