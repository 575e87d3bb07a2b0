#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the path, the JSON and --netns of report-skb use the name that ip netns, a process or the host gives a namespace, even a hostile name
# tags: main
# timeout: 240

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B
#          host (10.5.0.1) vu --- vp (10.5.0.2), a namespace of a process, without a name of ip netns

. "$(dirname "$0")/../lib/lib.sh"
. "$here/named-namespaces.sh"

is "$(record_pings icmp)" 0 "recorded"
list
cat "$OUT/list"
is "$(packets ' va@A > vb@B ')" 2 "requests from A to B, two of them as ping reports"
is "$(packets ' vb@B > va@A ')" 2 "answers"
is "$(packets ' vu@host > vp@web-7d9f ')" 1 "to the namespace of a process"
is "$(packets ' lo@x\\x20>\\x20y@z\\x1b\[31m ')" 6 "in a namespace with a hostile name"
is "$(grep -c $'\e' "$OUT/list")" 0 "lines with an escape for the terminal"

trace-cmd report-skb --json -i "$OUT/trace.dat" | sed "s/,\"kind\":\"[a-z]*\"}/}/g" >"$OUT/json"
# hop DEVICE NETNS NAME KIND [DETAIL]: print a hop of a path as JSON, without the kind of the device
hop() {
	echo "{\"device\":\"$1\",\"netns\":$2,\"netns_name\":\"$3\",\"netns_kind\":\"$4\"${5:+,\"netns_detail\":\"$5\"}}"
}
in_json() {
	grep '"type":"packet"' "$OUT/json" | grep -cF "\"path\":[$1]" || [ $? = 1 ]
}
inode() {
	stat -Lc %i "$1"
}
is "$(in_json "$(hop va "$(inode /run/netns/A)" A ip-netns),$(hop vb "$(inode /run/netns/B)" B ip-netns)")" 2 "JSON: names of ip netns"
is "$(in_json "$(hop vu "$(inode /proc/self/ns/net)" host host),$(hop vp "$(inode /proc/$process/ns/net)" web-7d9f process $process)")" 1 \
	"JSON: host and process"
is "$(in_json "$(hop lo "$(inode "/run/netns/$hostile")" 'x > y@z\u001b[31m' ip-netns)")" 6 "JSON: the hostile name"

list --netns A
is "$(packets .) $(packets '@A')" "4 4" "report-skb --netns A"
list --netns web-7d9f --netns "$hostile"
is "$(packets .) $(packets '@web-7d9f|y@z')" "8 8" "report-skb --netns twice"
list --netns "$(inode /run/netns/B)"
is "$(packets '@B')" 4 "report-skb --netns with an inode number"
