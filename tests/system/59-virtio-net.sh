#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: through two virtio_net cards on one hub, GRO off and on: all packets of port 9000 from the driver up, and no others
# requires: tcpdump ethtool
# timeout: 300
# vm: --qemu "-netdev hubport,id=p0,hubid=0 -device virtio-net-pci,netdev=p0 -netdev hubport,id=p1,hubid=0 -device virtio-net-pci,netdev=p1,mac=52:54:00:12:34:99"

. "$(dirname "$0")/lib.sh"
. "$here/tap.sh"
. "$here/nics.sh"

through_nics virtio_net
