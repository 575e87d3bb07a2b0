#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make two recordings amid unrelated traffic. Needs root; creates a network namespace and removes it at the end. The
# recordings are written to $OUT, or to the current directory.
#
#    network of the host                         namespace "there"
#    demo0, 10.9.0.1 ───────── veth ──────────── demo1, 10.9.0.2: echo on ports 9000, 8001, 8002 and 8003
set -eu

out=${OUT:-.}
there() { ip netns exec there "$@"; }

cleanup() {
	# shellcheck disable=SC2046
	kill $(jobs -p) 2>/dev/null
	wait
	ip netns del there
}

ip netns add there
trap cleanup EXIT
ip link add demo0 type veth peer name demo1 netns there
ip addr add 10.9.0.1/24 dev demo0
ip link set demo0 up
there ip addr add 10.9.0.2/24 dev demo1
there ip link set demo1 up

for port in 9000 8001 8002 8003; do
	there socat TCP-LISTEN:$port,reuseaddr,fork EXEC:cat &
done
until [ "$(there ss -Hltn 'sport = :9000 or sport = :8001 or sport = :8002 or sport = :8003' | wc -l)" = 4 ]; do
	:
done

# Unrelated traffic: connections to other ports, and another ping.
while :; do
	for port in 8001 8002 8003; do
		echo noise | socat -t 1 - TCP:10.9.0.2:$port
	done
done >/dev/null 2>&1 &
ping -q -i 0.2 10.9.0.2 >/dev/null &

run() {
	printf '\n$ %s\n' "$*"
	"$@"
}

run trace-cmd record-skb -o "$out/tcp.trace.dat" -p 9000 -- \
	sh -c 'echo hello | socat -t 1 - TCP:10.9.0.2:9000'
run trace-cmd record-skb -o "$out/ping.trace.dat" -p 9000 -- ping -c 1 10.9.0.2
