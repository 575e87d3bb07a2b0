#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --bytes names the calls that wrote and read each byte, in agreement with the programs' logs
# requires: jq
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/bytes.sh"

two_namespaces
stream calls 0 10.9.0.2 "300000 20000 500 wsmvfxz" "20000 300 rcmpx" --detail path -p 9000
[ "$(awk '$1 == "write" && $7 == "x"' "$OUT/calls/log" | wc -l)" -gt 0 ] || fail "no call of splice() wrote"
[ "$(jq -r 'select(.peeks > 0) | .peeks' "$OUT/calls/json" | wc -l)" -gt 0 ] || fail "no piece was peeked at"
stream ipv6 0 fd09::2 "200000 20000 500 ws" "3000 100 rc" --detail path -p 9000

# With loss, each row of --bytes names the packet that completed its range of bytes. An earlier packet may
# have brought the first bytes of the range.
in_a tc qdisc add dev va root netem delay 3ms 2ms loss 3% duplicate 2% reorder 10%
# The writes are small, so each packet contains the end of at least one write. This is also true for lost
# packets.
stream loss 0 10.9.0.2 "500000 2000 500 ws" "50000 1000 rc" --detail path -p 9000
[ "$(jq -r 'select(.resent) | .packet' "$OUT/loss/json" | wc -l)" -gt 0 ] || fail "no piece was sent again"
[ "$(jq -r 'select(.filled_by) | .filled_by' "$OUT/loss/json" | wc -l)" -gt 0 ] || fail "no piece waited for an earlier one"
in_a tc qdisc del dev va root

# The recording of this stream lacks some events. If the events of a call are missing, report-skb must name
# no call for its bytes, rather than a wrong call. It must name each call whose events were recorded.
SHIFTED=1 stream lost 1 10.9.0.2 "2000000 20000 100 ws" "2000 100 rc" -b 16 -p 9000
has "$(cat "$OUT/stderr")" ' entries recorded, [1-9][0-9]* lost' "entries are lost"
knows_calls lost
