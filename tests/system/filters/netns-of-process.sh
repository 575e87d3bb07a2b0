#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: record-skb --netns accepts the name of a process, and selects its network namespace
# tags: main
# timeout: 240

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B
#          host (10.5.0.1) vu --- vp (10.5.0.2), a namespace of a process, without a name of ip netns

. "$(dirname "$0")/../lib/lib.sh"
. "$here/named-namespaces.sh"

is "$(record_pings --netns web-7d9f -i any --proto icmp)" 0 "--netns with the name of a process"
list
is "$(packets ' icmp 10\.5\.0\.')" 2 "packets in this namespace"
is "$(packets '10\.9\.0\.2')" 0 "packets in others"
