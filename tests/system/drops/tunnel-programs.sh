#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: packets name the programs of routes (lwt in, out, xmit and End.BPF of segment routing), their drops and a redirect
# requires: tc jq ip
# tags: slow
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B; and a tunnel over it, xa --- xb. 10.50.0.2 and fd60::2 are
# addresses of B, too.

. "$(dirname "$0")/../lib/lib.sh"
. "$here/overlays.sh"
at_exit wait_for "the end of the tunnels" modprobe -r ipip
. "$here/hook-programs.sh"

tunnel ipip
ip -n B address add 10.50.0.2/32 dev lo
ip -n B address add fd60::2/128 dev lo nodad
in_b sysctl -q net.ipv6.conf.all.seg6_enabled=1 net.ipv6.conf.vb.seg6_enabled=1
mount_bpf
pinned="pinned /tmp/bpf/fw_main"
background in_b "$traffic" hoard 9001 100000
wait_for "a receiver on port 9001" udp_listening B 9001

# send_three ADDRESS: record three datagrams to port 9001, and check that the program of the route has run on each
send_three() {
	three_datagrams "$1" -p 9001
	is "$runs_now" 3 "runs of the program"
	trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
	"$(program check-json)" "$top/report/report-skb.schema.json" <"$OUT/json" || fail "the JSON schema"
}

# dropped HOOK NAMESPACE DEVICE ADDRESS ROUTE…: the program of the route drops three datagrams to ADDRESS
dropped() {
	local hook=$1 ns=$2 device=$3 address=$4
	shift 4
	begin_programs "$ns" "$hook" /tmp/bpf/fw_main fw_main 2 9001
	ip -n "$ns" route replace "$@"
	send_three "$address"
	is "$(grep -c "dropped by lwt program fw_main (id $id) on $device\$" "$OUT/packets")" 3 "$hook: packets that the program dropped"
	is "$(shown_runs "$id" BPF_DROP)" 3 "$hook: the results"
	end_programs
	rm /tmp/bpf/fw_main
}

local="table local local 10.9.0.2 dev vb proto kernel scope host src 10.9.0.2"
# shellcheck disable=SC2086
dropped lwt-in B vb 10.9.0.2 $local encap bpf in $pinned
# shellcheck disable=SC2086
ip -n B route replace $local
# shellcheck disable=SC2086
dropped lwt-out A va 10.9.0.2 10.9.0.2/32 encap bpf out $pinned dev va
ip -n A route del 10.9.0.2/32

# A sends packets for fd60::2 to the segment fd50::100 first, where the program runs.
ip -n A -6 route add fd50::100/128 via fd09::2
ip -n A -6 route add fd60::2/128 encap seg6 mode inline segs fd50::100 dev va
# shellcheck disable=SC2086
dropped seg6local B vb fd60::2 fd50::100/128 encap seg6local action End.BPF endpoint $pinned dev vb

begin_programs A lwt-xmit /tmp/bpf/fw_main fw_main redirect:xa 9001
# shellcheck disable=SC2086
ip -n A route add 10.50.0.2/32 encap bpf xmit $pinned dev va
sent=$(in_a cat /sys/class/net/xa/statistics/tx_packets)
send_three 10.50.0.2
is "$(($(in_a cat /sys/class/net/xa/statistics/tx_packets) - sent))" 3 "packets that the tunnel sent"
is "$(jq -c 'select(.type == "packet" and .programs).programs[] | [.id, .result_name, .target]' "$OUT/json" | uniq -c | tr -s ' ')" \
	" 3 [$id,\"BPF_REDIRECT\",{\"kind\":\"device\",\"device\":\"xa\"}]" "lwt-xmit: the target"
is "$(grep -c 'va@A > xa > va > vb@B > xb' <(trace-cmd report-skb --list --wide -i "$OUT/trace.dat"))" 3 "lwt-xmit: the path"
end_programs
