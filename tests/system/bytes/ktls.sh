#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --bytes names for each byte in TLS records of the kernel the calls that wrote and read it
# requires: jq
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/bytes.sh"

modprobe tls || exit 0
two_namespaces
export TLS=true
stream tls12 0 10.9.0.2 "300000 40000 500 twsmvfxo" "20000 300 trcmpx" --detail path -p 9000
stream tls13 0 fd09::2 "300000 20000 500 Tws" "50000 300 Trc" --detail path -p 9000
[ "$(jq -r 'select(.tls and (.packet == null or .times.arrived_ns == null))' "$OUT/tls13/json")" = "" ] || fail "a piece has no packet"
[ "$(jq -r 'select(.tls and .times.arrived_ns > .read.ended_ns)' "$OUT/tls13/json")" = "" ] || fail "a piece was read before it arrived"
