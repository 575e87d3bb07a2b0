#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report shows where an XDP or tc program redirected a packet: a device, its peer, a neighbour or a map
# requires: tc jq
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
#                                           B vc --- vd C

. "$(dirname "$0")/../lib/lib.sh"
. "$here/hook-programs.sh"

ip netns add C
at_exit ip netns del C
ip -n B link add vc type veth peer name vd netns C
ip -n B link set vc up
ip -n C link set vd up

# Start a receiver for the datagrams that go through a cpumap. Otherwise an ICMP error would end the sender.
background in_b "$traffic" hoard 9001 100000
wait_for "a receiver on port 9001" udp_listening B 9001

# shown HOOK RESULT RESULT-NAME TEXT TARGET: send eight datagrams to port 9001 through a program that
# returns RESULT. The table of the report must show the redirection as TEXT, and its JSON output as TARGET.
shown() {
	begin_programs B "$1" vb fw_main "$2" 9001
	start_recording --detail net 'udp port 9001'
	read_runs
	before=$runs
	in_a "$traffic" number 10.9.0.2 9001 3
	wait_for "the runs" eight_ran
	stop_recording
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
	cat "$OUT/packets"
	trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
	"$(program check-json)" "$top/report/report-skb.schema.json" <"$OUT/json" || fail "the JSON schema"
	trace-cmd report-skb --packet 1 -i "$OUT/trace.dat" >"$OUT/graph"
	is "$(grep -c "program fw_main (id $id) on vb.*: $3 to $4\$" "$OUT/graph")" 1 "$1, $2: the line of the program"
	is "$(jq -c 'select(.type == "packet" and .programs).programs[] | [.result_name, .target]' "$OUT/json" | sed 's/"map":[0-9]*/"map":N/' | sort | uniq -c | tr -s ' ')" \
		" 8 [\"$3\",$5]" "$1, $2: the target in JSON"
	end_programs
}
eight_ran() {
	read_runs
	[ $((runs - before)) -ge 8 ]
}
neighbour='{"kind":"neighbour","device":"vc"}'
shown tc-ingress redirect:vc TC_ACT_REDIRECT vc '{"kind":"device","device":"vc"}'
shown tc-ingress peer:vc TC_ACT_REDIRECT 'the peer of vc' '{"kind":"peer","device":"vc"}'
shown tc-ingress neigh:vc TC_ACT_REDIRECT 'a neighbour at vc' "$neighbour"
for hook in xdp-generic xdp-native; do
	shown $hook redirect:vc XDP_REDIRECT vc '{"kind":"device","device":"vc"}'
	shown $hook devmap:vc XDP_REDIRECT 'vc (key 3 of devmap [0-9]*)' '{"kind":"devmap","device":"vc","map":N,"key":3}'
	shown $hook cpumap:1 XDP_REDIRECT 'CPU 1 (cpumap [0-9]*)' '{"kind":"cpu","map":N,"key":1}'
	shown $hook xskmap:0 XDP_REDIRECT 'an AF_XDP socket (key 0 of xskmap [0-9]*)' '{"kind":"xsk","map":N,"key":0}'
done

# A classifier without "direct-action" returns the number of a class. Here it is the number of TC_ACT_REDIRECT, so it
# must not count as a redirect. An XDP program that ran before on the same CPU has left its target in the kernel.
mkdir -p /tmp/bpf
mount -t bpf bpf /tmp/bpf
at_exit umount /tmp/bpf
begin_programs B xdp-generic vb earlier redirect:vc 9001
in_a taskset -c 0 "$traffic" number 10.9.0.2 9001 3
end_programs
begin_programs B classifier /tmp/bpf/classifier fw_main 7 9001
tc -n B qdisc add dev vb clsact
tc -n B filter add dev vb ingress bpf pinned /tmp/bpf/classifier classid 1:1
start_recording --detail net 'udp port 9001'
in_a taskset -c 0 "$traffic" number 10.9.0.2 9001 3
stop_recording
is "$(trace-cmd report-skb --json -i "$OUT/trace.dat" | tee "$OUT/json" | jq -c 'select(.type == "packet") | [.verdict.what, (.programs[] |
	.id, .result, .result_name, .target)]' | uniq -c | tr -s ' ')" " 8 [\"delivered\",$id,7,null,null]" "a class with the number of a redirect"
