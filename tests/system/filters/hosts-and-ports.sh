#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --host, --src, --dst, --sport, --dport and --proto select packets by address, port and protocol, for IPv4 and IPv6
# requires: nft
# timeout: 240

# Network: A (10.9.0.1) va --- ra (10.9.0.254) R (10.8.0.254) rb --- vb (10.8.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/tap.sh"
. "$here/select.sh"

record --dst 10.8.0.2 --dport 9000
all ' tcp [0-9.]+:[0-9]+ > 10\.8\.0\.2:9000 ' "--dst and --dport"
some ' 10\.9\.0\.1:[0-9]+ > ' "--dport from A"
some ' 10\.8\.0\.254:[0-9]+ > ' "--dport from R"

record --src 10.8.0.0/24 --sport 7000-7999
all ' tcp 10\.8\.0\.2:7001 > 10\.9\.0\.1:[0-9]+ ' "--src of a network and --sport of a range"

record --host 10.9.0.1 --proto icmp
all ' icmp 10\.(9\.0\.1|8\.0\.2):0 > 10\.(9\.0\.1|8\.0\.2):0 ' "--host and --proto"
is "$(wc -l <"$OUT/first")" 2 "a request and a reply"

record --src fd09::1 --dst fd08::/64 --dport 9000
all ' tcp \[fd09::1\]:[0-9]+ > \[fd08::2\]:9000 ' "--src and --dst, a network, of IPv6"

record --host fd09::1 --sport 7000-7999
all ' tcp \[fd08::2\]:7001 > \[fd09::1\]:[0-9]+ ' "--host of IPv6 and --sport of a range"

record --sport 9000
all ' tcp (10\.8\.0\.2|\[fd08::2\]):9000 > ' "--sport"
some ' 10\.8\.0\.2:9000 > ' "--sport of IPv4"
some ' \[fd08::2\]:9000 > ' "and of IPv6"
