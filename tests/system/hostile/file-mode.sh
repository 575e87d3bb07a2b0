#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: only root can read trace.dat and its parts: with any umask, over an older file, and in each mode of recording
# requires: setpriv perl
# tags: long
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/spy.sh"

pings() {
	umask >umask.said
	ping -q -c 3 -i 0.3 10.9.0.2
}
export -f pings

for mode in "" --live "--ring 1M" "-B other"; do
	rm -f umask.said
	spy
	# shellcheck disable=SC2086
	ip netns exec A trace-cmd record-skb "${few[@]}" --proto icmp $mode -- bash -c pings >/dev/null 2>"$OUT/said" ||
		fail "$(cat "$OUT/said")"
	spied_out "${mode:-default}"
	private "${mode:-default}" trace.dat
	is "$(cat umask.said)" 0000 "${mode:-default}: the command has the user's umask"
	case $mode in
	--ring*) ;;
	*) grep -q 'trace.dat.*cpu' spied || fail "${mode:-default}: the spy saw no part" ;;
	esac
done
