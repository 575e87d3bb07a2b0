#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: returns that somebody watches by fprobe: none is missed but by --force, and that is said
# requires: nft
# kernels: 6.12 6.12-rt 7.2 newest
# timeout: 300

. "$(dirname "$0")/lib.sh"

two_namespaces
echo_server B 9000
traffic=$(program traffic)
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

# probe DEFINITION: the only probe of all, which counts. probed: how much. unprobe: it goes.
probes=$tracing/instances/probes
export tracing probes
probe() {
	echo "$1" >"$tracing/dynamic_events"
	mkdir "$probes"
	echo 1 >"$probes/events/others/enable"
}
unprobe() {
	[ -d "$probes" ] || return 0
	echo 0 >"$probes/events/others/enable"
	rmdir "$probes"
	echo >"$tracing/dynamic_events"
}
probed() {
	awk '/^(entries|overrun):/ { n += $2 } END { print n }' "$probes"/per_cpu/cpu*/stats
}
at_exit unprobe

# Connections that need B's address resolved, in the middle of their first packet's graph.
cat >"$OUT/connections" <<END
for i in 1 2 3 4 5; do
	ip neigh flush dev va
	"$traffic" talk 10.9.0.2 1 9000
done
END

# counted COMMAND…: run it; sets $calls and $seen to how often arp_rcv() was called and the probe has seen that.
counted() {
	local calls_were seen_were
	calls_were=$(came)
	seen_were=$(probed)
	"$@"
	calls=$(($(came) - calls_were))
	seen=$(($(probed) - seen_were))
	[ "$calls" -ge 10 ] || fail "only $calls calls of arp_rcv()"
}

# recorded STATUS OPTION…: a recording of the connections ends so.
recorded() {
	rm -f "$OUT/trace.dat"
	is "$(status_of in_a trace-cmd record-skb --detail path -o "$OUT/trace.dat" "${@:2}" -p 9000 -- sh "$OUT/connections")" \
		"$1" "a recording${2:+, $2}"
}

probe "f:others/in arp_rcv"
counted recorded 0
is "$seen" "$calls" "who watches calls sees each"
has_not "$(cat "$OUT/stderr")" fprobe "and nobody is told of"
unprobe

probe "f:others/out arp_rcv%return"
counted in_a sh "$OUT/connections"
is "$seen" "$calls" "nothing is recorded: who watches returns sees each"
if ! grep -q ' ret:fprobe_' "$tracing/enabled_functions"; then
	# His are no part of what function_graph stands on.
	counted recorded 0
	is "$seen" "$calls" "recorded: who watches returns sees each"
	has_not "$(cat "$OUT/stderr")" fprobe "and nobody is told of"
	exit 0
fi

recorded 125
has "$(cat "$OUT/stderr")" '^trace-cmd record-skb: somebody watches returns of arp_rcv by fprobe.*--force' "it says whose"
[ ! -e "$OUT/trace.dat" ] || fail "there is a trace.dat"
has "$(trace-cmd record-skb --check)" '^without *other probes *returns of arp_rcv' "--check says it, too"
counted recorded 0 --force
has "$(cat "$OUT/stderr")" 'somebody watches returns of arp_rcv' "it is said all the same"
nothing_lost "$OUT/stderr"
# If one day none is missed, there is nothing to refuse any more.
[ "$seen" -lt "$calls" ] || fail "all $calls were seen: why refuse?"
echo "# $seen of $calls returns were seen"
counted in_a sh "$OUT/connections"
is "$seen" "$calls" "it is over: each is seen again"
unprobe

# Outside our packets' graphs nobody is paused: three pings of strangers are six calls.
probe "f:others/out icmp_rcv%return"
is "$(status_of in_a trace-cmd record-skb --force --detail path -o "$OUT/trace.dat" -p 9000 -- ping -q -c 3 10.9.0.2)" 0 \
	"a recording of others' packets, --force"
has "$(cat "$OUT/stdout")" '^3 packets transmitted, 3 received' "there were pings"
is "$(probed)" 6 "who watches returns sees each of unrelated packets by themselves"
unprobe

is "$(status_of in_a trace-cmd record-skb --detail path -o "$OUT/trace.dat" -p 9000 -- \
	bash -c "$(declare -f probe); probe 'f:others/out arp_rcv%return'")" 0 "somebody begins meanwhile"
has "$(cat "$OUT/stderr")" "somebody began to watch returns of arp_rcv" "he is told of at the end"
