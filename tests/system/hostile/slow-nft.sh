#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --why ends an nft that hangs or never stops printing; the summary then names the namespace without rule texts
# requires: nft
# tags: slow
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
in_b nft -f - <<-END
	table inet slow {
		counter dropped { }
		chain in {
			type filter hook input priority 0;
			udp dport 9001 counter name dropped drop
			udp dport 9002 counter name dropped drop
		}
	}
END

# This script replaces nft. It runs the commands in the variable STAND_IN, and never lists a rule.
mkdir "$OUT/bin"
cat >"$OUT/bin/nft" <<-'END'
	#!/bin/sh
	trap '' TERM INT HUP
	echo called >>"$CALLED"
	eval "$STAND_IN"
END
chmod +x "$OUT/bin/nft"
export CALLED=$OUT/called

# recorded STAND_IN: record two packets that rules of B drop. The script above replaces nft and runs
# STAND_IN. Set $took to the duration of the recording in seconds.
recorded() {
	local begin=$SECONDS
	: >"$CALLED"
	STAND_IN=$1 PATH="$OUT/bin:$PATH" trace-cmd record-skb --why --detail path -o "$OUT/why.dat" -- \
		ip netns exec A bash -c 'echo >/dev/udp/10.9.0.2/9001; echo >/dev/udp/10.9.0.2/9002' 2>"$OUT/said" ||
		fail "$(cat "$OUT/said")"
	took=$((SECONDS - begin))
	is "$(sort -u "$CALLED")" called "$1: the stand-in was run"
	trace-cmd report-skb --list -i "$OUT/why.dat" >"$OUT/packets" 2>"$OUT/losses"
	is "$(grep -c ' dropped .*NETFILTER_DROP' "$OUT/packets")" 2 "$1: both packets are in the file"
	! pgrep -f "$OUT/bin/nft" || fail "$1: the stand-in still runs"
}

recorded 'exit 1'
has_not "$(cat "$OUT/said")" 'nft took too long' "an nft that fails has reached no limit"
quick=$took
recorded 'sleep 1000 & sleep 1000'
has "$(cat "$OUT/said")" '^nft took too long to list 2 rules of nftables' "a limit that is reached is reported"
is "$(wc -l <"$CALLED")" 1 "this namespace is asked once"
[ $((took - quick)) -le 60 ] || fail "it waited $took s"
! pgrep -x -f 'sleep 1000' || fail "a child of the stand-in still runs"
recorded 'exec yes'
has "$(cat "$OUT/said")" '^nft took too long to list 2 rules of nftables' "an nft that prints forever is killed"
is "$(packets_of B inet slow dropped)" 6 "packets that nft's own counter has dropped"
