#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: probes that watch returns by fprobe or BPF miss nothing while packets are recorded
# requires: nft /sys/kernel/btf/vmlinux
# kernels: 6.12 6.12-rt 7.2 newest
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
echo_server B 9000
. "$(dirname "$0")/../lib/bpf.sh"
for ns in A B; do
	ip netns exec $ns nft -f - <<-END
		table arp witness {
			counter came { }
			chain in {
				type filter hook input priority 0;
				counter name came
			}
		}
	END
done

# came: how often arp_rcv() was called for a packet that it takes, in A and B.
came() {
	echo $(($(packets_of A arp witness came) + $(packets_of B arp witness came)))
}

# Connections that need B's address resolved, in the middle of their first packet's graph, and others' packets.
connections() {
	for _ in 1 2 3; do
		ip -n A neigh flush dev va
		in_a "$traffic" talk 10.9.0.2 1 9000
		ip -n A neigh flush dev va
		in_a ping -q -c 1 10.9.0.2 >/dev/null
	done
}

# attach, detach: count the returns of arp_rcv() in $seen and its calls in $calls
calls=0
attach() {
	bpf_attach arp_rcv
	calls=$((calls - $(came)))
}
detach() {
	calls=$((calls + $(came)))
	bpf_detach
}

# Attached before any function_graph of this boot.
attach
if grep -q ' ret:fprobe_' "$tracing/enabled_functions"; then
	is "$(status_of trace-cmd record-skb -o "$OUT/trace.dat" -p 9000 -- true)" 125 "the kernel would warn"
	has "$(cat "$OUT/stderr")" 'returns of arp_rcv are watched.*--force' "it says whose"
	[ ! -e "$OUT/trace.dat" ] || fail "there is a trace.dat"
fi
connections
detach
is "$seen" "$calls" "nothing is recorded: each of $calls returns is seen"

# Attached from the start.
seen=0 calls=0
attach
begin_recording
connections
detach
end_recording
[ "$calls" -ge 12 ] || fail "only $calls calls of arp_rcv()"
is "$seen" "$calls" "attached from the start: each of $calls returns is seen"
has "$(trace-cmd report-skb --list -i "$OUT/trace.dat")" 'delivered to a socket' "and the packets are recorded"

# Attached and detached again and again.
seen=0 calls=0
begin_recording
for _ in {1..5}; do
	connections
	attach
	connections
	detach
done
connections
end_recording
is "$seen" "$calls" "attached five times: each of $calls returns is seen"
if [ "$VM_KERNEL" = 7.2 ] || [ "$VM_KERNEL" = newest ]; then
	has "$(cat "$OUT/stderr")" '^for [0-9.]* s other tracers used fgraph .[2-5] times' "the summary says how long"
fi
