#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: names of containers that an unprivileged user runs with podman, with and without a cgroup of their own
# tags: long
# kernels: 6.1 6.12 newest
# host: vm/containers
# requires: jq setpriv
# timeout: 400

# Network: web and plain, two containers without a link; each uses its own lo

. "$(dirname "$0")/../lib/lib.sh"
. "$here/containers.sh"
. "$here/rootless.sh"
rootless_user

# hops NAME KIND DETAIL PID: print how many packets of the recording were in the namespace of PID, with exactly this name
hops() {
	jq -s --arg name "$1" --arg kind "$2" --arg detail "$3" --argjson inode "$(stat -Lc %i "/proc/$4/ns/net")" '[.[] |
		select(.type == "packet") | select(any(.path[]; .netns == $inode and .netns_name == $name and .netns_kind == $kind and
		.netns_detail == $detail))] | length' "$OUT/json"
}
inspect() { # NAME: print the PID and the id of a container
	as_user podman inspect -f '{{.State.Pid}} {{.Id}}' "$1"
}

rootless_runs web --cgroup-parent "$user_cgroup"
rootless_runs plain
read -r web_pid web_id < <(inspect web)
read -r plain_pid _ < <(inspect plain)
is "$(awk '/^Uid:/ { print $2 }' "/proc/$web_pid/status")" "$user_id" "the user of the container"
has "$(cat "/proc/$web_pid/cgroup")" "$user_cgroup/libpod-$web_id" "the cgroup of the container"

trace-cmd record-skb --detail path -o "$OUT/trace.dat" icmp -- bash -ec "
	nsenter -t $web_pid -n ping -q -c 1 127.0.0.1
	nsenter -t $plain_pid -n ping -q -c 1 127.0.0.1" >"$OUT/pings" 2>"$OUT/said" || fail "the recording: $(cat "$OUT/said" "$OUT/pings")"
trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
trace-cmd report-skb --list --wide -i "$OUT/trace.dat"
is "$(hops web podman "$web_id" "$web_pid")" 2 "a container of the user's session"
# Without a cgroup of the container, only its first process is known.
is "$(hops sleep process "$plain_pid" "$plain_pid")" 2 "a container without a cgroup"
