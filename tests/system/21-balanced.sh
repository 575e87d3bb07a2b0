#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: each function entered in a graph is left, each graph has its gate, in a recording of many packets
# requires: nft tcpdump
# timeout: 300

. "$(dirname "$0")/lib.sh"
. "$here/crowd.sh"

crowd
balanced $crowd/trace.dat
