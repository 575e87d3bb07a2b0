#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --on records on three guests with different kernels through ssh, on one with sudo; if one recorder dies, the others continue
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

count=200
cd "$OUT"
three_guests
ssh_guests
echo "kernels: $(uname -r) $(on router uname -r) $(on server uname -r)"

# collect: start the program that counts the numbered packets
collect() {
	on_program server traffic collect 9000 >collected &
	collector=$!
	wait_for "the collector" on server bash -c '[ -n "$(ss -Hlun "sport = :9000")" ]'
}
# forwarded: print how many packets the router has forwarded, by nft's counter
forwarded() {
	on router nft -j list counter ip test numbered | jq '.nftables[1].counter.packets'
}
packets() {
	trace-cmd report-skb -i "$1" --summary --json udp port 9000 | jq .packets
}

# All recordings must begin before the command and end after it. The pings show report-skb the difference of
# the clocks.
collect
status=0
trace-cmd record-skb --on client,router,server --detail path -o joint.dat "icmp or udp port 9000" -- \
	bash -c 'ping -q -i 0.05 -c 40 10.8.0.2 && "$0" number 10.8.0.2 9000 '$count' && ping -q -i 0.05 -c 40 10.8.0.2 && exit 7' \
	"$(program traffic)" 2>said || status=$?
cat said
is "$status" 7 "the exit status of the command"
wait $collector || fail "the collector failed"
sent=$(forwarded)
for host in client router server; do
	has "$(cat said)" "^$host: .* matched" "the summary of $host"
	is "$(packets joint-$host.dat)" "$sent" "packets of $host, as nft on the router has counted them"
done
is "$(on router ls /var/lib/record-skb)$(on server ls /var/lib/record-skb)$(ls /var/lib/record-skb)" "" "files that remain on the hosts"
has "$(cat said)" "^next: trace-cmd report-skb joint-client.dat joint-router.dat joint-server.dat" "the next command"
# The server's filter matches only the inner packet of the tunnel.
trace-cmd report-skb joint-client.dat joint-router.dat joint-server.dat --list --columns packet,path udp port 9000 >list
is "$(grep -cE ' client: eth0 > router: eth1 > vxlan0 > eth2 > server: vxlan0 *$' list)" "$sent" "packets with a path over three guests"

# Kill the router's recorder. The other recorders must continue. The router's file stays there, and the
# command in the message must fetch it.
collect
trace-cmd record-skb --on client,router,server --detail path -o killed.dat udp port 9000 2>said &
joint=$!
at_exit stop $joint
wait_for "the recordings" grep -q "recording on 3 of 3" said
"$(program traffic)" number 10.8.0.2 9000 $count
wait $collector || fail "the collector failed"
sent=$(($(forwarded) - sent))
on router pkill -KILL -o -f '^[^ ]*trace-cmd-record-skb --controlled'
wait_for "the message" grep -q "^router: the file was not fetched" said
ping -q -c 1 10.8.0.2 >/dev/null
kill -INT $joint
status=0
wait $joint || status=$?
cat said
is "$status" 125 "the exit status if a recorder dies"
is "$(packets killed-client.dat) $(packets killed-server.dat)" "$sent $sent" "packets of the other hosts"
fetch=$(sed -n 's/^router: the file was not fetched; if the host has it: ssh //p' said)
wait_for "the end of the recorder" on router bash -c '! pgrep -f "trace-cmd recor[d] .*record-skb" >/dev/null'
bash -c "$RECORD_SKB_SSH ${fetch/ cat / sudo cat }"
is "$(packets killed-router.dat)" "$sent" "packets of the router, fetched by the command in the message"
