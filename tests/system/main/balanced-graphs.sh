#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: in a recording of many packets, each function entry has its exit and each graph belongs to a gate
# requires: nft tcpdump
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/crowd.sh"

crowd
balanced $crowd/trace.dat
