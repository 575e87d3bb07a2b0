#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: two e1000 cards on one hub, with GRO off and on: exactly the packets of port 9000 are recorded, from the driver up
# requires: tcpdump ethtool
# tags: slow
# timeout: 300
# vm: --nics

# Network: A (10.9.0.1) card --- hub --- card (10.9.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/nics.sh"

through_nics e1000
