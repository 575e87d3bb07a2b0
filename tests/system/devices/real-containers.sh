#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report names containers of docker, podman and LXC as their runtimes do, even containers that end during the recording
# tags: long
# kernels: 6.1 6.12 newest
# host: vm/containers
# requires: jq
# timeout: 600

# Network: first namespace docker0 (172.17.0.1) --- eth0 in each container of docker, podman's bridge (10.88.0.1) --- eth0
#          in each container of podman; box of LXC and one more namespace have only lo
. "$(dirname "$0")/../lib/lib.sh"
. "$here/containers.sh"
# inode PID: print the inode number of the network namespace of a process
inode() { stat -Lc %i "/proc/$1/ns/net"; }

# hops NAME KIND INODE DETAIL: print how many recorded packets passed a namespace with exactly these values.
hops() {
	jq -s --arg name "$1" --arg kind "$2" --argjson inode "$3" --arg detail "$4" '[.[] | select(.type == "packet") | select(any(.path[];
		.netns == $inode and .netns_name == $name and .netns_kind == $kind and (.netns_detail // "") == $detail))] | length' "$OUT/json"
}

# short NAME KIND: print how many packets passed a container of this name and kind whose full id is reported.
short() {
	jq -s --arg name "$1" --arg kind "$2" '[.[] | select(.type == "packet") | select(any(.path[]; .netns_name == $name and
		.netns_kind == $kind and (.netns_detail | length) == 64))] | length' "$OUT/json"
}

docker_starts
docker_runs web-7d9f
docker_runs attached
podman_runs db-0
lxc_runs box
read -r docker_pid docker_ip < <(docker inspect -f '{{.State.Pid}} {{.NetworkSettings.IPAddress}}' web-7d9f)
read -r attached_pid attached_ip < <(docker inspect -f '{{.State.Pid}} {{.NetworkSettings.IPAddress}}' attached)
read -r podman_pid podman_ip < <(podman inspect -f '{{.State.Pid}} {{.NetworkSettings.IPAddress}}' db-0)
lxc_pid=$(lxc_process box)
ip netns attach blue "$attached_pid"
at_exit ip netns del blue

# Make a cgroup with LXC's prefix and then a hostile name.
hostile=$'x > y@z\e[31m'
mkdir "/sys/fs/cgroup/lxc.payload.$hostile"
at_exit rmdir "/sys/fs/cgroup/lxc.payload.$hostile"
background unshare -n sleep 1000
hostile_pid=$!
at_exit wait_for "the end of the process" grep -q 'populated 0' "/sys/fs/cgroup/lxc.payload.$hostile/cgroup.events"
at_exit stop $hostile_pid
echo $hostile_pid >"/sys/fs/cgroup/lxc.payload.$hostile/cgroup.procs"
own_namespace() { [ "$(inode $hostile_pid)" != "$(inode 1)" ]; }
wait_for "the namespace" own_namespace
nsenter -t $hostile_pid -n ip link set lo up

# The last four containers start and end during the recording.
trace-cmd record-skb --detail path -o "$OUT/trace.dat" icmp -- bash -ec "ping -q -c 2 $docker_ip; ping -q -c 3 $podman_ip
	ping -q -c 1 $attached_ip
	nsenter -t $lxc_pid -n ping -q -c 1 127.0.0.1
	nsenter -t $hostile_pid -n ping -q -c 1 127.0.0.1
	for n in 1 2 3; do docker run --rm --name later-\$n busybox ping -c 1 172.17.0.1; done
	$(declare -f podman); podman run --rm --cap-add NET_RAW --name brief busybox ping -c 1 10.88.0.1" >"$OUT/pings" 2>"$OUT/said" ||
	fail "the recording: $(cat "$OUT/said" "$OUT/pings")"
trace-cmd report-skb --json -i "$OUT/trace.dat" >"$OUT/json"
"$(program check-json)" "$top/report/report-skb.schema.json" <"$OUT/json" || fail "the JSON schema"
trace-cmd report-skb --list --wide -i "$OUT/trace.dat" | tee "$OUT/list"
is "$(hops web-7d9f docker "$(inode "$docker_pid")" "$(docker inspect -f '{{.Id}}' web-7d9f)")" 4 "docker: requests and answers"
is "$(hops db-0 podman "$(inode "$podman_pid")" "$(podman inspect -f '{{.Id}}' db-0)")" 6 "podman: requests and answers"
is "$(hops blue ip-netns "$(inode "$attached_pid")" "")" 2 "a name of ip netns, although the namespace is that of a container"
is "$(hops box lxc "$(inode "$lxc_pid")" "")" 2 "LXC: a request and its answer"
is "$(hops "$hostile" lxc "$(inode $hostile_pid)" "")" 2 "a hostile name"
is "$(short later-1 docker) $(short later-2 docker) $(short later-3 docker)" "2 2 2" "containers of docker that exist for a short time"
is "$(short brief podman)" 2 "a container of podman that exists for a short time"
has "$(cat "$OUT/list")" ' > eth0@web-7d9f ' "the path"
has "$(cat "$OUT/list")" ' lo@x\\x20>\\x20y@z\\x1b\[31m ' "the hostile name in the path"

# report-skb can select packets by the name of a container.
is "$(trace-cmd report-skb --list --netns db-0 -i "$OUT/trace.dat" | grep -cE '^ *[0-9]+ ')" 6 "report-skb --netns with a name of podman"
is "$(trace-cmd report-skb --list --netns later-2 -i "$OUT/trace.dat" | grep -cE '^ *[0-9]+ ')" 2 "a container that has ended"
trace-cmd record-skb --detail path -o "$OUT/one.dat" --netns web-7d9f icmp -- bash -ec "ping -q -c 2 $docker_ip; ping -q -c 3 $podman_ip" \
	>"$OUT/pings" 2>"$OUT/said" || fail "the recording: $(cat "$OUT/said")"
is "$(trace-cmd report-skb --json -i "$OUT/one.dat" | jq -s '[.[] | select(.type == "packet")] | length')" 4 "record-skb --netns with a name of docker"
