#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a veth device and its namespaces are removed while matching packets wait in its queue: everything is removed without delay
# requires: tc
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
#          C (10.7.0.1) vc --- vd (10.7.0.2) D, removed while packets wait

. "$(dirname "$0")/../lib/lib.sh"
. "$here/removed-while-queued.sh"

gone() {
	! ip netns list | grep -qE '^[CD]\b' && [ "$(lsns -t net -n | wc -l)" -le "$namespaces" ]
}
namespaces=$(lsns -t net -n | wc -l)

recording_begins
pair
queued vc
ip -n C link del vc
traffic_goes_on "without veth"
no_pair

pair
queued vc
ip netns del D
ip netns del C
traffic_goes_on "without the namespaces"
wait_for "the end of all namespaces" gone
recording_ends 20
