#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a ring of all packets ends at an unanswered ping, but not at fragments, TCP and UDP that are answered, or packets that ask for nothing
# timeout: 120

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/ring.sh"

ring_setup

# Record all packets. Later fragments have no ports. Only TCP, UDP and echo requests ask for an answer.
ring_filter=(ip or ip6)
ring --ring 4M --until unanswered=2s
serve 9010 recv 1 send 1
ask 9010 send 1 recv 1
in_a ping -c 2 -i 0.2 -s 4000 10.9.0.2 >"$OUT/ping"
in_a bash -c 'printf %03000d 0 >/dev/udp/10.9.0.2/9004'
sleep 2.5
is "$(cat "$tracing/tracing_on") $(grep -c '^ended' "$OUT/said" || :)" "1 0" "the ring continues"
in_b sysctl -qw net.ipv4.icmp_echo_ignore_all=1
in_a ping -c 1 -W 2 10.9.0.2 >"$OUT/ping" && fail "the ping was answered"
ended_unanswered
has "$(cat "$OUT/packets")" "^ *$number .*icmp 10\.9\.0\.1 > 10\.9\.0\.2 echo request" "#$number is the one"
