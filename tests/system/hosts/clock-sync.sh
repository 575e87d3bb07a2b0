#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: if trace-cmd has synchronized two recordings, report-skb joins them by trace-cmd's clock, unless packets contradict it
# requires: jq
# kernels: 6.12 newest

# Network: client (10.9.0.1) eth0 --- eth1 (10.9.0.254) router (10.8.0.254) eth2 --- eth0 (10.8.0.2) server

. "$(dirname "$0")/../lib/lib.sh"
. "$here/hosts.sh"

cd "$OUT"
clocks=$(program clocks)
three_hosts
record_host client -C mono
record_host server -C tai
read -r mono raw tai _ < <("$clocks")
echo "clocks: $mono $raw $tai"
ip netns exec client ping -q -i 0.05 -c 40 10.8.0.2 >/dev/null
host_ends client
host_ends server
cp client.dat plain-client.dat
cp server.dat plain-server.dat

# joined: print how report-skb compared the clocks of server and client, and the offset of the server's
# clock from the client's clock
joined() {
	trace-cmd report-skb client.dat server.dat --summary
	trace-cmd report-skb client.dat server.dat --summary --json >summary.json
	jq -r '.hosts[1] | "\(.clock) \(.offset_ns)"' summary.json
}
# synchronize OFFSET: write trace-cmd's options for time synchronization into the files. They add OFFSET to
# the server's times.
synchronize() {
	cp plain-client.dat client.dat
	cp plain-server.dat server.dat
	"$(program timeshift)" client.dat server.dat "$1" "$(nproc)"
}
joined >without
has "$(tail -n 1 without)" "^packets -[0-9]+$" "without the options, packets tell the clock"
arrivals=$(jq .joined.arrivals summary.json)

synchronize $((mono - tai))
joined >with
cat with
is "$(tail -n 1 with)" "trace-cmd 0" "the clock"
has "$(cat with)" " server +0.000000 s .* by trace-cmd's time synchronization \(± .*\)" "the clock in the summary"
is "$(jq .joined.arrivals summary.json)" "$arrivals" "arrivals that are joined"
is "$(jq .joined.before_sent summary.json)" 0 "arrivals before their departure"

# This synchronization is wrong by 100 ms, so packets contradict it.
synchronize $((mono - tai + 100000000))
joined >wrong
cat wrong
has "$(tail -n 1 wrong)" "^packets -?[0-9]+$" "packets contradict a wrong synchronization"
has "$(cat wrong)" "packets contradict trace-cmd's time synchronization" "the summary"
is "$(jq .joined.arrivals summary.json)" "$arrivals" "arrivals that are joined"
