#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why shows no wrong rule if the rules change during the recording, and keeps another user's tracing instance
# requires: nft
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
steps=$(program steps)
in_b nft -f - <<-END
	table inet witness {
		chain in {
			type filter hook prerouting priority -500;
			udp dport 9103 drop
		}
	}
END

# Replace the table during the recording. Another rule then gets the handle of the rule that dropped the
# packet.
cat >"$OUT/changed" <<-END
	delete table inet witness
	table inet witness {
		chain in {
			type filter hook prerouting priority -500;
			udp dport 9105 accept
		}
	}
END
trace-cmd record-skb --why --detail path -o "$OUT/changed.dat" -- ip netns exec A sh -c "
	$steps open 10.9.0.2 9103 send 1; ip netns exec B nft -f $OUT/changed" >"$OUT/printed" 2>"$OUT/said" ||
	fail "$(cat "$OUT/said")"
trace-cmd report-skb --why -i "$OUT/changed.dat" >"$OUT/why" 2>"$OUT/stderr"
cat "$OUT/why"
has "$(grep -A 2 "^[^ ].*:9103: dropped" "$OUT/why")" 'the rule with handle [0-9]+ \(the rules changed during the recording; at its end: udp dport 9105 accept\)$' "it does not show the text of the other rule as this rule's"
has "$(in_b nft -a list table inet witness)" "udp dport 9105 accept # handle $(sed -n 's/.*handle \([0-9]*\).*/\1/p' "$OUT/why" | head -n 1)$" "the other rule has the handle"
[ ! -e /sys/kernel/tracing/instances/record_skb ]
ok "the instance of tracing is removed"

# Another user has made a tracing instance with the name that --why uses.
mkdir "$tracing/instances/record_skb"
at_exit rmdir "$tracing/instances/record_skb"
trace-cmd record-skb --why --detail path -o "$OUT/changed.dat" -p 9103 -- true >"$OUT/printed" 2>"$OUT/said" || fail "$(cat "$OUT/said")"
[ -d "$tracing/instances/record_skb" ] || fail "the other user's instance was removed"
ok "the other user's instance is still there"
