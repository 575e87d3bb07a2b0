#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: after a panic inside a gate with --persistent, --recover makes the file, and report-skb names the packet and the function it was in
# requires: tcpdump
# kernels: 6.12 6.12-rt 7.2 newest
# vm: --crash late
# tags: main
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/kept-instance.sh"

before_the_crash() {
	two_namespaces
	echo_server B 9000
	# Eleven packets were received. The twelfth was still in the kernel when the kernel panicked.
	in_b tcpdump --immediate-mode -U -i vb -w "$DISK/pcap" "dst port 9000" 2>"$OUT/tcpdump" &
	wait_for "tcpdump" grep -q 'listening on' "$OUT/tcpdump"
	"${record[@]}" --persistent kept 2>"$OUT/said" &
	wait_for "a recording" grep -q '^trace-cmd record-skb: recording until' "$OUT/said"
	wait_for "the module to be armed" armed
	for n in 1 2 3 4 5 6 7 8 9 10 11; do
		in_a bash -c "echo $n > /dev/udp/10.9.0.2/9000"
	done
	wait_for "eleven packets" eval "[ \$(tcpdump -r '$DISK/pcap' 2>/dev/null | wc -l) = 11 ]"
	touch "$DISK/crash"
	sync
	insmod "$(made_on_host late.ko)" of=ip_rcv_core dies=1
	in_a "$steps" open 10.9.0.2 9000 send 100
	fail "the kernel has survived"
}

[ -e "$DISK/crash" ] || before_the_crash

[ -s "$trace.head" ] || fail "the head of the trace is missing"
two_namespaces
refused "the file's name is taken" trace-cmd record-skb -o "$trace" -p 9000 -- true
refused "the instance is not empty" trace-cmd record-skb -o "$OUT/other.dat" -p 9000 --persistent kept -- true
refused "another name" trace-cmd record-skb --recover kept -o "$OUT/other.dat"
trace-cmd record-skb --recover kept -o "$trace" 2>"$OUT/said" || fail "$(cat "$OUT/said")"
cat "$OUT/said"
trace-cmd report-skb --list -i "$trace" >"$OUT/packets" 2>&1 || fail "$(cat "$OUT/packets")"

# udp_seen: print the source ports of the packets in the report. tcpdump saw all of them except the last
# one, during which the kernel panicked.
udp_seen() {
	sed -nE 's/^ *[0-9]+!? .* udp 10\.9\.0\.1:([0-9]+) > 10\.9\.0\.2:9000 .*/\1/p' "$OUT/packets"
}
is "$(udp_seen | head -n -1)" "$(tcpdump -r "$DISK/pcap" -n 2>/dev/null | sed -nE 's/.* 10\.9\.0\.1\.([0-9]+) > .*/\1/p')" "the packets before"
last=$(grep 'udp 10' "$OUT/packets" | tail -n 1)
grep -Eq '  unknown, last seen in ip_rcv *$' <<<"$last" || fail "the verdict of the last packet: $last"
number=$(awk '{ print $1 }' <<<"$last")
trace-cmd report -i "$trace" 2>/dev/null >"$OUT/report"
tail -n 1 "$OUT/report" | grep -Eq "funcgraph_entry: .* ip_rcv\(\) \{ /\* #$number udp" || fail "the last function: $(tail -n 1 "$OUT/report")"
ok "the last packet, and the function that it was in"
is "$(echo "$trace"*)" "$trace" "nothing is left beside the file"
is "$(grep -h '^entries' "$kept"/per_cpu/cpu*/stats | sort -u)" "entries: 0" "no entry is left in the instance"
