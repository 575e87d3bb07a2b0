#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --bytes names the calls that read data after both ends had closed the connection
# requires: jq
# timeout: 200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/bytes.sh"

two_namespaces
# The reader belongs to no followed task, so the port selects its calls.
stream closed 0 10.9.0.2 "30000 5000 500 ws" "3000 300 drc" --detail path -p 9000
stream closed6 0 fd09::2 "30000 5000 500 ws" "3000 300 drc" --detail path -p 9000
