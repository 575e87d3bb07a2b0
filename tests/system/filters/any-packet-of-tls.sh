#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: kernel TLS uses skbs without a header internally; a filter that reads no byte does not match them
# requires: nft socat
# tags: long
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tls-sockets.sh"

recorded much net 'greater 1'
tls_sockets_work
