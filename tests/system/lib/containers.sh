# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# containers.sh - docker, podman and LXC of Debian, with an image of a static busybox
#
# shellcheck disable=SC2154 # lib.sh sets the variables.

runtimes=$VM_BUILD/containers
[ -e "$runtimes/.ready" ] || skip "no container runtimes; tests/vm/containers fetches them"
# Install the runtimes as links to their files on 9p.
cp -as "$runtimes/usr/." /usr/ 2>"$OUT/cp" || ! grep -v 'File exists' "$OUT/cp" >&2 || fail "the runtimes"
cp -as "$runtimes/etc/." /etc/ 2>"$OUT/cp" || ! grep -v 'File exists' "$OUT/cp" >&2 || fail "the configuration"
mountpoint -q /sys/fs/cgroup || mount -t cgroup2 none /sys/fs/cgroup
for dir in /var/lib/docker /var/lib/containerd /var/lib/containers; do
	mkdir -p $dir
	mount -t tmpfs none $dir
done

rootfs=$(mktemp -d)
mkdir -p "$rootfs"/{bin,dev,etc,proc,sys,tmp,run,usr}
touch "$rootfs/etc/os-release"
cp -L "$(command -v busybox || echo "$runtimes/bin/busybox")" "$rootfs/bin/busybox"
for name in sh sleep ping; do
	ln -s busybox "$rootfs/bin/$name"
done

podman() {
	NETAVARK_FW=none command podman --cgroup-manager cgroupfs --events-backend file --storage-driver vfs --runtime runc "$@"
}

# Docker leaves its bridge behind, and so does podman with CNI. netavark removes that of podman.
docker_starts() {
	at_exit ip link del docker0
	background dockerd --iptables=false --ip6tables=false --ip-masq=false --userland-proxy=false --exec-opt native.cgroupdriver=cgroupfs \
		>"$OUT/dockerd" 2>&1
	WAIT_SECONDS=150 wait_for "docker" docker info
	tar -C "$rootfs" -c . | docker import - busybox >"$OUT/docker.import"
}

# docker_runs NAME: run a container of docker until the test ends
docker_runs() {
	docker run -d --name "$1" busybox sleep 1000 >"$OUT/docker.$1"
	at_exit docker rm -f "$1"
}

# podman_runs NAME: run a container of podman until the test ends. Call this once.
podman_runs() {
	tar -C "$rootfs" -c . | podman import - busybox >"$OUT/podman.import" 2>&1 || fail "podman: $(cat "$OUT/podman.import")"
	[ -e /usr/lib/podman/netavark ] || at_exit ip link del cni-podman0
	podman run -d --name "$1" busybox sleep 1000 >"$OUT/podman.$1" 2>"$OUT/podman.error" || fail "podman: $(cat "$OUT/podman.error")"
	at_exit podman rm -f -t 0 "$1"
}

# lxc_runs NAME: run a container of LXC until the test ends. Its loopback device is up.
lxc_runs() {
	cat >"$OUT/lxc.$1" <<-END
		lxc.rootfs.path = dir:$rootfs
		lxc.uts.name = $1
		lxc.init.cmd = /bin/sleep 1000
		lxc.apparmor.profile = unconfined
		lxc.net.0.type = empty
	END
	mkdir -p /var/lib/lxc
	background lxc-start -F -n "$1" -f "$OUT/lxc.$1" >"$OUT/lxc" 2>&1
	wait_for "the container $1 of LXC" lxc_has_process "$1"
	at_exit lxc-stop -k -n "$1"
	nsenter -t "$(lxc_process "$1")" -n ip link set lo up
}
lxc_process() {
	lxc-info -n "$1" -p -H
}
lxc_has_process() {
	lxc-info -n "$1" -p -H 2>/dev/null | grep -q .
}
