#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: with --on and a ring on each of three guests, a drop that ends one ring ends the other rings within 100 ms
# requires: /usr/sbin/sshd sudo jq nft
# kernels: newest
# tags: long
# timeout: 480
# vm: --smp 1 --memory 640M --hosts client,router=6.1,server

# Network: client (10.9.0.1) eth0 --- eth1 (10.9.0.254) router (10.7.0.1) eth2 --- eth0 (10.7.0.2) server
#          and VXLAN: router (10.8.0.254) vxlan0 === vxlan0 (10.8.0.2) server

. "$(dirname "$0")/../lib/lib.sh"
. "$here/guests.sh"
. "$here/ssh-guests.sh"

cd "$OUT"
three_guests
ssh_guests
on server nft 'table ip test {
	chain input {
		type filter hook input priority 0
		icmp type echo-request counter drop
	}
}'
# last FILE: print the time of the end of the recording in FILE
last() {
	trace-cmd report-skb -i "$1" --summary --json | jq .last_ns
}
# Take the fastest of five rounds, because the emulator can delay a round.
fastest=1000000
for round in 1 2 3 4 5; do
	status=0
	trace-cmd record-skb --on client,router,server --ring 1M --until drop -C mono -o "ring$round.dat" icmp 2>said &
	joint=$!
	at_exit stop $joint
	wait_for "the recordings" grep -q "recording on 3 of 3" said
	ping -q -c 1 -W 1 10.8.0.2 >/dev/null || echo "the ping was dropped"
	wait $joint || status=$?
	cat said
	is "$status" 0 "the exit status of round $round"
	has "$(cat said)" "^server: an event of --until ended this recording; all others ended within [0-9]+ ms" "the event"
	# Read the client's clock and another guest's clock at the same moment. $error is the largest
	# possible error of this comparison.
	read -r ours theirs _ _ error <<<"$(peer_clocks server)"
	dropped=$(trace-cmd report -t "ring$round-server.dat" 2>/dev/null | sed -nE 's/^.* ([0-9]+)\.([0-9]{9}): stop: .*/\1\2/p')
	client=$((($(last "ring$round-client.dat") - ours + theirs - dropped) / 1000))
	read -r ours2 routers _ _ error2 <<<"$(peer_clocks router)"
	router=$((($(last "ring$round-router.dat") - routers + ours2 - ours + theirs - dropped) / 1000))
	echo "the client ended $client us after the drop on the server, and the router $router us (± $(((error + error2) / 1000)) us)"
	took=$((client > router ? client : router))
	[ "$client" -gt 0 ] && [ "$router" -gt 0 ] || fail "a ring ended before the drop"
	[ "$took" -gt "$fastest" ] || fastest=$took
	[ "$fastest" -ge 100000 ] || break
done
[ "$fastest" -lt 100000 ] || fail "the ends of the rings are $fastest us apart"
is "$(on router ls /var/lib/record-skb)$(on server ls /var/lib/record-skb)$(ls /var/lib/record-skb)" "" "files that remain on the hosts"
