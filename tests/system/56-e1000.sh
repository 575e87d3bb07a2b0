#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: through two e1000 cards on one hub, GRO off and on: all packets of port 9000 from the driver up, and no others
# requires: tcpdump ethtool
# timeout: 300
# vm: --nics

. "$(dirname "$0")/lib.sh"
. "$here/tap.sh"
. "$here/nics.sh"

through_nics e1000
