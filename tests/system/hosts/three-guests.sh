#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: with NAT, VXLAN, faulty links and different clocks, report-skb gives each packet on three guests one number, as its payload shows
# requires: jq nft
# tags: slow
# timeout: 480
# vm: --smp 1 --memory 640M --hosts client,router,server

# Network: client (10.9.0.1) eth0 --- eth1 (10.9.0.254) router (10.7.0.1) eth2 --- eth0 (10.7.0.2) server
#          and VXLAN: router (10.8.0.254) vxlan0 === vxlan0 (10.8.0.2) server

. "$(dirname "$0")/../lib/lib.sh"
. "$here/guests.sh"
. "$here/wired-guests.sh"

count=${1:-2000}
cd "$OUT"
three_guests
record_three "$count"
trace-cmd report-skb "${files[@]}" --summary --json >summary.json
trace-cmd report-skb "${files[@]}" --summary
is "$(jq -r '[.hosts[].name] | join(" ")' summary.json)" "client router server" "the names of the hosts"
is "$(jq .incomplete_packets summary.json)" 0 "packets with an incomplete call graph"
clock_is router 1 "$router_before" "$router_after"
clock_is server 3 "$server_before" "$server_after"
joined_right "$count"
lost_are_lost "$count"

# Count rows whose packet number has no dot, because a dot marks the row of a copy. The report may have up
# to five packets more than the collector: the collector does not count the five end marks. The links may
# lose all of these.
received=$(sed -n 's/^received \([0-9]*\), .*twice \([0-9]*\)$/\1 - \2/p' collected)
trace-cmd report-skb "${files[@]}" --list --columns packet,path,verdict udp port 9000 >list 2>/dev/null
arrived=$(grep -cE '^ *[0-9]+ +client: eth0 > router: eth1 > vxlan0 > eth2 > server: eth0 > vxlan0 .*delivered .* on server' list)
echo "$arrived packets went all the way in the report, $((received)) at the collector"
[ "$arrived" -ge $((received)) ] && [ "$arrived" -le $((received + 5)) ] || fail "the number of packets with the whole path"
ok "packets with a path over three guests, NAT and VXLAN"

# report-skb must refuse a recording that is given twice.
cp client.dat copy.dat
is "$(status_of trace-cmd report-skb client.dat copy.dat)" 125 "the exit status if a recording is given twice"
has "$(cat stderr)" "'client.dat' and 'copy.dat' are the same recording" "the message about a recording that is given twice"
