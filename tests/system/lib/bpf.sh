# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# bpf.sh - recordings of port 9000 while BPF programs count the calls of a function
#
# A test calls two_namespaces first, and starts an echo server on port 9000 in B.

traffic=$(program traffic)
others=$(program others)

# bpf_attach FUNCTION: attach BPF programs to the function
bpf_attach() {
	coproc BPF { exec "$others" "$1"; }
	# shellcheck disable=SC2153 # coproc sets BPF_PID
	bpf_pid=$BPF_PID
	read -r -u "${BPF[0]}" || fail "no BPF program is attached"
}

# bpf_detach: detach the BPF programs. Add to $seen how many returns kretprobe-multi has counted.
seen=0
bpf_detach() {
	local name count
	echo >&"${BPF[1]}"
	while read -r -u "${BPF[0]}" name count && [ "$name" ]; do
		[ "$name" != kretprobe-multi ] || seen=$((seen + count))
	done
	eval "exec ${BPF[1]}>&-"
	wait "$bpf_pid"
}

# count_pings: count the pings that arrive in B with nftables
count_pings() {
	ip netns exec B nft -f - <<-END
		table ip witness {
			counter came { }
			chain in {
				type filter hook prerouting priority -300;
				ip protocol icmp counter name came
			}
		}
	END
}

# visit: attach BPF to icmp_rcv() while three pings and a matching connection take place. Add to $pings how
# many calls of icmp_rcv() BPF should have counted: one in B for each request, and one in A for each reply.
pings=0
visit() {
	local before
	bpf_attach icmp_rcv
	before=$(packets_of B ip witness came)
	in_a ping -q -c 3 -i 0.01 10.9.0.2 >/dev/null
	in_a "$traffic" talk 10.9.0.2 1 9000
	pings=$((pings + 2 * ($(packets_of B ip witness came) - before)))
	bpf_detach
}

# begin_recording: start a recording
# end_recording: end the recording by removing /tmp/wait.me
begin_recording() {
	touch /tmp/wait.me
	trace-cmd record-skb --verbose --detail path -o "$OUT/trace.dat" -p 9000 -- sh -c 'while [ -e /tmp/wait.me ]; do sleep 0.1; done' \
		>"$OUT/stdout" 2>"$OUT/stderr" &
	recorder=$!
	wait_for "matching" armed
}
end_recording() {
	rm /tmp/wait.me
	wait "$recorder" || fail "the recording ends with $?: $(cat "$OUT/stderr")"
	nothing_lost "$OUT/stderr"
}
