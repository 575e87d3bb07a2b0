#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: with --on, the drop that ends the ring of one host reaches the other hosts within 100 ms
# requires: /usr/sbin/sshd nft
# tags: slow
# timeout: 480
#
# A kernel can have only one ring. The server has a real ring. On the client, a script takes the place of the recorder,
# and notes by the clock of the trace when it is asked to stop.

# Network: client (10.9.0.1) eth0 --- eth1 (10.9.0.254) router (10.8.0.254) eth2 --- eth0 (10.8.0.2) server

. "$(dirname "$0")/../lib/lib.sh"
. "$here/hosts.sh"
. "$here/ssh-hosts.sh"

cd "$OUT"
clocks=$(program clocks)
three_hosts
ssh_hosts client server
cat >"ssh/client.bin/trace-cmd" <<-END
	#!/bin/bash
	echo armed
	until read -r line && [ "\$line" = stop ]; do :; done
	echo "\${EPOCHREALTIME/[.,]/}000" >"$OUT/asked"
	printf 'stopped\nfile 4\nring'
	until read -r line && [ "\$line" = have ]; do :; done
END
ip netns exec server nft -f - <<-END
	table ip test {
		chain input {
			type filter hook input priority 0
			icmp type echo-request counter drop
		}
	}
END
# Take the fastest of five rounds, because other guests on the same host can delay a round.
fastest=1000000
for round in 1 2 3 4 5; do
	status=0
	on_hosts --on client,server --ring 1M --until drop -C mono -o "ring$round.dat" icmp 2>said &
	joint=$!
	at_exit stop $joint
	wait_for "the recordings" grep -q "recording on 2 of 2" said
	ip netns exec client ping -q -c 1 -W 1 10.8.0.2 >/dev/null || echo "the ping was dropped"
	wait $joint || status=$?
	cat said
	is "$status" 0 "the exit status of round $round"
	has "$(cat said)" "^server: an event of --until ended this recording; all others ended within [0-9]+ ms" "the event"
	read -r mono _ real _ < <("$clocks")
	dropped=$(trace-cmd report -t "ring$round-server.dat" 2>/dev/null | sed -nE 's/^.* ([0-9]+)\.([0-9]{9}): stop: .*/\1\2/p')
	took=$((($(cat asked) - (real - mono) - dropped) / 1000))
	echo "$took us from the drop on the server to the end on the client"
	[ "$took" -gt 0 ] || fail "the client stopped before the drop"
	[ "$took" -gt "$fastest" ] || fastest=$took
	[ "$fastest" -ge 100000 ] || break
done
[ "$fastest" -lt 100000 ] || fail "the ends of the rings are $fastest us apart"
is "$(ls /var/lib/record-skb)" "" "files that remain on the hosts"
