#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report says what Open vSwitch did with each packet
# requires: jq ovs-vswitchd
# tags: slow
# timeout: 240

# Network: A (10.9.0.1) va --- ra R rb --- vb (10.9.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/switch.sh"

# The module openvswitch makes the kernel track the connections of all namespaces. Unload it at the end, so
# that later tests are not affected.
modprobe openvswitch
at_exit modprobe -r openvswitch
at_exit ip netns exec R ovs-dpctl del-dp ovs-system
export OVS_RUNDIR=$OUT/run OVS_LOGDIR=$OUT OVS_DBDIR=$OUT
mkdir "$OVS_RUNDIR"
ovsdb-tool create "$OUT/conf.db" /usr/share/openvswitch/vswitch.ovsschema
background ovsdb-server "$OUT/conf.db" --remote=punix:"$OVS_RUNDIR/db.sock"
wait_for "the database" test -S "$OVS_RUNDIR/db.sock"
ovs-vsctl --no-wait init
background ip netns exec R ovs-vswitchd
ovs-vsctl add-br sw0 -- add-port sw0 ra -- add-port sw0 rb
ovs-vsctl wait-until interface rb 'ofport>0'
wait_for "the switch" in_a ping -c 1 -W 1 10.9.0.2
for detail in path net; do
	# Each new port is a new flow. Open vSwitch sends the first packet of a flow to user space.
	before=$(in_b cat /sys/class/net/vb/statistics/rx_packets)
	missed=$(ip netns exec R ovs-dpctl show | sed -n 's/.*missed:\([0-9]*\).*/\1/p')
	record $detail
	after=$(in_b cat /sys/class/net/vb/statistics/rx_packets)
	# A packet from user space begins at rb.
	packets=$(jq -s '[.[] | select(.type == "packet" and .destination.port == 9000 and .path[0].device != "rb")] | length' "$OUT/json")
	missed=$(($(ip netns exec R ovs-dpctl show | sed -n 's/.*missed:\([0-9]*\).*/\1/p') - missed))
	is "$(of '.kind == "openvswitch" and .action == "received"')" "$packets" "$detail: packets that Open vSwitch has received"
	is "$(of '.kind == "openvswitch" and .action == "upcall"')" "$missed" "$detail: packets for which it asked user space"
	is "$(($(of '.kind == "openvswitch" and .action == "output"') + missed))" "$((after - before))" \
		"$detail: packets that it has sent to B, with those that user space sent"
done
