#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb names the cause and the duration of an injected delay, the longest one of a packet or request
# requires: tcpdump tc socat
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# vm: --icount --smp 1
# tags: long
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/longest-gap.sh"
. "$here/tap.sh"

two_namespaces

# passed NAMESPACE.DEVICE EXPRESSION: print the times in milliseconds at which matching packets passed the device
passed() {
	tcpdump -ttnr "$OUT/$1.pcap" "$2" 2>/dev/null | awk '{ split($1, at, "."); printf "%.3f\n", at[1] % 100000 * 1000 + at[2] / 1000 }'
}

# difference: print the difference between the first and the last line of standard input
difference() {
	awk 'NR == 1 { first = $1 } { last = $1 } END { if (NR < 2) exit 1; print last - first }'
}

# This server sleeps before it answers.
ip netns exec B "$traffic" answer 9000 400 >"$OUT/slept" &
at_exit stop $!
wait_for "the slow server" listening B 9000
# Run the program once to read it from disk, because the guest's clocks do not count the time of disk reads.
ip netns exec A "$traffic" talk 10.9.0.2 1 9000 >"$OUT/printed"
record -p 9000 -- ip netns exec A "$traffic" talk 10.9.0.2 1 9000
names "a slow server" '#[0-9]+ -> #[0-9]+: the application had the client.s data and had sent nothing' \
	"$(awk 'END { print $1 / 1000 }' "$OUT/slept")"

# The netem queue delays the packets.
echo_server B 9001
in_a tc qdisc add dev va root netem delay 100ms
record -p 9001 -- ip netns exec A "$traffic" talk 10.9.0.2 1 9001
names "a queue that delays" '#[0-9]+: it was in the queue of va \(qdisc\)' 100

# The queue limits the rate, so the last of five packets waits for the other four.
ip netns exec B socat -u UDP-RECV:9002 "CREATE:$OUT/9002" &
at_exit stop $!
wait_for "a reader for them" udp_listening B 9002
in_a tc qdisc replace dev va root tbf rate 80kbit burst 1600 limit 100000
cat >"$OUT/five" <<'END'
exec 3>/dev/udp/10.9.0.2/9002
for n in 1 2 3 4 5; do printf %01000d $n >&3; done
for n in 1 2 3 4 5 6 7 8; do
	tc -s qdisc show dev va | grep -q 'backlog 0b' && break
	sleep 0.1
done
END
tap B vb
record udp dst port 9002 -- ip netns exec A bash "$OUT/five"
taps_end
names "a queue with a limited rate" '#5: it was in the queue of va \(qdisc\)' "$(passed B.vb 'udp dst port 9002' | difference)"
in_a tc qdisc del dev va root
all_named
