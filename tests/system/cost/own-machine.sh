#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: make bench HOST=y measures packets, throughput and latency with and without a recording, and leaves nothing behind
# requires: gcc
# tags: long
# timeout: 900

# Network: A --- B, two namespaces that tests/bench/host makes

. "$(dirname "$0")/../lib/lib.sh"

# In the emulator, the figures mean little. So check only that they exist, and that a recording costs
# something.
is "$(ROUNDS=1 BATCHES=3 status_of "$top/tests/bench/host" net)" 0 "exit status"
cat "$OUT/stdout" >&2
is "$(grep -cE '^\| .* \| [0-9]+ \([0-9.]+\) \| [0-9.]+ \([0-9.]+\) \| [0-9.]+ \([0-9.]+\) \|$' "$OUT/stdout")" 3 "rows with figures"
is "$(sed -n 3p "$OUT/stdout" | grep -o '([0-9.]*)' | tr -d '\n')" "(1.00)(1.00)(1.00)" "multiples without a recording"
matching=$(sed -nE 's/^\| `--detail path`, all packets match \| [0-9]+ \(([0-9.]+)\).*/\1/p' "$OUT/stdout")
awk -v times="$matching" 'BEGIN { exit !(times > 1.2) }' || fail "matching packets cost $matching times as much"
ok "matching packets cost $matching times as much"
is "$(ip netns list)" "" "network namespaces that are left"

is "$(PATH=/bin:/usr/bin:/sbin status_of env -u PREFIX bash -c 'command() { return 1; }; export -f command; "$0" net' "$top/tests/bench/host")" 125 \
	"without record-skb"
has "$(cat "$OUT/stderr")" 'record-skb is not installed; try: make && sudo make install' "the message"
