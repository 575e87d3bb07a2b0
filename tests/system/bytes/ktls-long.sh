#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --bytes knows the calls of all bytes in 10 MB of TLS records, with loss, small reads and writes, sendfile and a small buffer
# requires: jq
# tags: long
# timeout: 1200

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/bytes.sh"

modprobe tls || exit 0
two_namespaces
export TLS=true
stream large-writes 0 10.9.0.2 "10000000 500000 100 tw" "30000 10 tr" --detail path -p 9000
stream small-reads 0 fd09::2 "10000000 1000000 100 Tw" "9000 10 Trc" --detail path -p 9000
stream small-writes 0 10.9.0.2 "3000000 3000 10 Tws" "500000 3000 Tr" --detail path -p 9000
stream sendfile 0 fd09::2 "10000000 300000 100 tf" "30000 10 tr" --detail path -p 9000
stream at-once 0 10.9.0.2 "10000000 300000 100 Tn" "30000 300 Tr" --detail path -p 9000
# If a TLS record does not fit into the receive buffer, the kernel takes it out of TCP in parts.
in_b sysctl -qw net.ipv4.tcp_rmem="4096 9000 9000"
stream small-buffer 0 10.9.0.2 "1000000 60000 100 tw" "5000 10 tr" --detail path -p 9000
in_b sysctl -qw net.ipv4.tcp_rmem="4096 131072 6291456"
in_b ethtool -K vb gro on >/dev/null
in_a tc qdisc add dev va root netem delay 3ms 2ms loss 2% duplicate 2% reorder 10%
stream loss 0 10.9.0.2 "10000000 50000 10 tws" "50000 10 trc" --detail path -p 9000
