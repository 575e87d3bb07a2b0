# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# arp-returns.sh - count returns of arp_rcv() by fprobe or BPF, while matching and other packets are handled
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

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

# came: print how often arp_rcv() was called in A and B. Calls with packets that arp_rcv() ignores do not
# count.
came() {
	echo $(($(packets_of A arp witness came) + $(packets_of B arp witness came)))
}

# connections: make matching connections and send unrelated pings. Before each of them, the kernel has to
# resolve the address of B. For a connection, the ARP packets are handled inside the graph of the
# connection's first packet.
connections() {
	for _ in 1 2 3; do
		ip -n A neigh flush dev va
		in_a "$traffic" talk 10.9.0.2 1 9000
		ip -n A neigh flush dev va
		in_a ping -q -c 1 10.9.0.2 >/dev/null
	done
}

# attach: begin to count. detach: end the counting. $seen is the number of returns of arp_rcv(), as BPF
# counts them, and $calls is the number of its calls.
calls=0
attach() {
	bpf_attach arp_rcv
	calls=$((calls - $(came)))
}
detach() {
	calls=$((calls + $(came)))
	bpf_detach
}
