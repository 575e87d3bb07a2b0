#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report shows which cgroup program dropped a packet, with and without BTF
# requires: tc jq
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/hook-programs.sh"

mount_cgroup
background in_b "$traffic" hoard 9001 100000
wait_for "a receiver on port 9001" udp_listening B 9001

# ingress WHAT: check that the report shows the drops of a program that drops packets on their way to a
# socket of the cgroup. WHAT describes the test in messages.
ingress() {
	begin_programs B cgroup-ingress "$cgroup" fw_main 0 9001
	sixteen
	is "$(grep -c "dropped by cgroup program fw_main (id $id) (ingress)\$" "$OUT/packets")" 8 "$1: dropped packets"
	is "$(grep -c 'delivered to a socket' "$OUT/packets")" 8 "$1: packets that arrived"
	is "$(grep -c "see: bpftool prog show id $id\$" "$OUT/why")" 1 "$1: the command that shows the program"
	end_programs
}
ingress "with BTF"
is "$(shown_runs "$id" deny)" 8 "with BTF: the result"
NO_BTF=y ingress "without BTF"
is "$(jq -c 'select(.verdict.program).verdict.program | [.kind, .hook, .name, .candidates, .result]' "$OUT/json" | uniq -c | tr -s ' ')" \
	' 8 ["cgroup","ingress","fw_main",1,null]' "without BTF: the program in JSON"

# Two programs of the cgroup run, and one of them refuses the packets. Without BTF, the recording cannot show
# which one.
NO_BTF=y begin_programs B cgroup-ingress "$cgroup" first 1 9001 second 0 9001
sixteen
is "$(grep -c 'dropped by one of 2 cgroup programs (ingress)$' "$OUT/packets")" 8 "two programs without BTF"
is "$(grep -c 'see: bpftool cgroup tree$' "$OUT/why")" 1 "the command that shows the programs"
end_programs

# The program drops packets that a socket of the cgroup sends. The sending call must fail, too.
for kind in "with BTF" "without BTF"; do
	unset NO_BTF
	[ "$kind" = "with BTF" ] || export NO_BTF=y
	begin_programs A cgroup-egress "$cgroup" fw_main 0 9001
	start_recording --detail net 'udp port 9001'
	for _ in 1 2 3; do
		! in_a bash -c 'echo >/dev/udp/10.9.0.2/9001' 2>"$OUT/refused" || fail "the program does not refuse a datagram"
		has "$(cat "$OUT/refused")" 'not permitted' "$kind: the call fails"
	done
	stop_recording
	is "$(trace-cmd report-skb --list -i "$OUT/trace.dat" | tee "$OUT/packets" | grep -c "dropped by cgroup program fw_main (id $id) (egress)\$")" 3 \
		"$kind: packets that could not be sent"
	end_programs
done
