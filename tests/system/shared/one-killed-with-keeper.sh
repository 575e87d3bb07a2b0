#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: SIGKILL of all processes of one of two recordings: the other one is right, the module cleans up, and another recording works
# requires: nft
# kernels: 6.12 6.12-rt 7.2 newest
# timeout: 480

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/shared-kill.sh"

# keepers: print the PIDs of the watchdogs of all recordings
keepers() {
	pgrep -x record-skb-keep || :
}

# Kill a recording together with its watchdog and trace-cmd, so that no process is left to restore its
# settings.
begin right 9000
right=$pid
before=$(keepers)
begin killed 7001
killed=$pid
mine=$(comm -13 <(sort <<<"$before") <(keepers | sort))
[ "$(wc -w <<<"$mine")" = 1 ] || fail "not one keeper: $mine"
talk
# shellcheck disable=SC2046 # they are numbers
kill -KILL "$mine" "$killed" $(pgrep -P "$killed") $(pgrep -P "$(pgrep -P "$killed" | tr '\n' ',' | sed 's/,$//')")
ends_killed "$killed"
talk
wait_for "its instance to be removed by the module" without_number 2
begin next 7001
next=$pid
talk
kill -INT "$next"
wait "$next" || fail "the exit status of the next recording was $?: $(cat next.said)"
is "$(sed -n 's/ packets matched.*//p' next.said)" 20 "packets of the next recording"
nothing_lost next.said
balanced next.dat
owners next.dat
ends_right
settings_restored
next_is_right
