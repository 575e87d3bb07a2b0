#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: misuse of the device under traffic, with arming, disarming and unloading in between, returns the documented errors and does no harm
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

mkdir "$OUT/bin"
cp "$(program ioctl)" "$OUT/bin"
PATH=$OUT/bin:$PATH

two_namespaces
in_b iperf3 -s -D -I "$OUT/iperf3.pid" >/dev/null
at_exit sh -c "kill \$(tr -d '\\0' <$OUT/iperf3.pid)"
wait_for "iperf3" listening B 5201

modprobe record_skb
at_exit sh -c 'grep -q "^record_skb " /proc/modules && modprobe -r record_skb; :'

is "$(stat -c %a /dev/record_skb)" 600 "the device's mode"
is "$(status_of setpriv --bounding-set -sys_admin --inh-caps -sys_admin ioctl cycle 1)" 1 "without CAP_SYS_ADMIN"
has "$(cat "$OUT/stderr")" 'not permitted' "the error message"
is "$(status_of ioctl misuse)" 0 "calls that must fail"
[ ! -s "$OUT/stdout" ] || fail "$(cat "$OUT/stdout")"

in_a iperf3 -c 10.9.0.2 -b 2M -l 1K -t 1000 >/dev/null &
traffic=$!
is "$(status_of ioctl cycle 12)" 0 "12 times armed and disarmed under traffic"
has "$(cat "$OUT/stdout")" '^[1-9][0-9]* matches$' "the module was armed"
at_exit sh -c "echo 1 >$tracing/tracing_on"
is "$(status_of ioctl cycle 12 ring)" 0 "12 times armed and disarmed as a ring that each packet ends"
has "$(cat "$OUT/stdout")" '^[1-9][0-9]* rings ended by a packet$' "packets have ended the rings"
for _ in 1 2 3; do
	is "$(status_of ioctl cycle 2)" 0 "armed and disarmed"
	modprobe -r record_skb
	modprobe record_skb
done
is "$(status_of ioctl fuzz 300)" 0 "300 random calls"
kill -0 "$traffic" || fail "the traffic broke down"
stop "$traffic"
modprobe -r record_skb
