#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: kernel TLS has skbs that borrow a receive queue: they are not recorded as packets of the port, and all data arrives
# requires: nft socat
# tags: long
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tls-sockets.sh"

recorded some full -p 9000
recorded some path -p 9000
tls_sockets_work
