#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --bytes names the calls that wrote and read each byte of a connection with kernel TLS
# requires: jq
# tags: slow
# timeout: 400

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/bytes.sh"

modprobe tls || exit 0
two_namespaces
export TLS=true
stream tls12 0 10.9.0.2 "300000 40000 500 twsmvfxo" "20000 300 trcmpx" --detail path -p 9000
stream tls13 0 fd09::2 "300000 20000 500 Tws" "50000 300 Trc" --detail path -p 9000
[ "$(jq -r 'select(.tls and .write and .read and (.packet == null or .times.arrived_ns == null))' "$OUT/tls13/json")" = "" ] || fail "a piece has no packet"
[ "$(jq -r 'select(.tls and .read and .times.arrived_ns > .read.ended_ns)' "$OUT/tls13/json")" = "" ] || fail "a piece was read before it arrived"
# Control records of TLS are not data of the application, so they must not appear as bytes.
stream control 0 10.9.0.2 "200000 20000 500 Twk" "20000 300 Tk" --detail path -p 9000
stream at-once 0 10.9.0.2 "2000000 200000 50 tn" "9000 300 tr" --detail path -p 9000
SHIFTED=1 stream lost 1 10.9.0.2 "2000000 20000 100 tw" "2000 100 tr" -b 16 -p 9000
knows_calls lost

# The reader decrypts TLS in user space. Its calls read whole TLS records, so report-skb must not name them
# for the decrypted data.
stream user-space 1 10.9.0.2 "300000 20000 500 Tw" "20000 300 Rr" --detail path -p 9000
[ "$(jq -s 'map(select(.tls and .write and (.read | not)) | .to - .from) | add' "$OUT/user-space/json")" = 300000 ] ||
	fail "the written bytes are not all known"
TLS=false pieces_of "$OUT/user-space/json" >"$OUT/pieces"
awk -v partial=1 -f "$(dirname "$0")/../lib/bytes.awk" "$OUT/user-space/read" "$OUT/pieces" || fail "the TLS records are wrong"
[ "$(awk '$7 != "-" { n += $3 - $2 } END { print n }' "$OUT/pieces")" = "$(awk '{ n += $4 } END { print n }' "$OUT/user-space/read")" ] ||
	fail "the records that were read are not all known"
