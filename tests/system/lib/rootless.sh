# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# rootless.sh - containers of podman that belong to an unprivileged user; after containers.sh
#
# shellcheck disable=SC2154 # lib.sh and containers.sh set the variables.

# rootless_user: make a user who may run containers, with a session. Sets $user_id and $user_cgroup. as_user COMMAND…: run a
# command in this session.
rootless_user() {
	local program
	user_id=1234
	user_cgroup=/user.slice/user-$user_id.slice/user@$user_id.service
	echo "alice:x:$user_id:$user_id::/home/alice:/bin/bash" >>/etc/passwd
	echo "alice:x:$user_id:" >>/etc/group
	echo "alice:100000:65536" | tee -a /etc/subuid >>/etc/subgid
	install -d -o $user_id -g $user_id /home/alice /run/user/$user_id
	# These need their own permissions, not those of a link.
	for program in newuidmap newgidmap; do
		cp --remove-destination "$(readlink -f "$(command -v $program)")" /usr/bin/$program
		chmod 4755 /usr/bin/$program
	done
	mkdir -p "/sys/fs/cgroup$user_cgroup/session"
	chown -R $user_id:$user_id "/sys/fs/cgroup$user_cgroup"
	at_exit wait_for "the end of the session" session_ends
	at_exit kill_session
	tar -C "$rootfs" -c . >/tmp/rootfs.tar
	as_user podman import /tmp/rootfs.tar busybox >"$OUT/import" 2>&1 || fail "podman: $(cat "$OUT/import")"
}
as_user() {
	# shellcheck disable=SC2016
	bash -c 'echo $$ >"$0" && exec "$@"' "/sys/fs/cgroup$user_cgroup/session/cgroup.procs" \
		setpriv --reuid $user_id --regid $user_id --clear-groups env -i "PATH=$PATH" HOME=/home/alice USER=alice \
		"XDG_RUNTIME_DIR=/run/user/$user_id" bash -c "cd; $(declare -f podman)"'; "$@"' - "$@"
}
# The processes of podman and of the containers
kill_session() {
	local file
	while read -r file; do
		xargs -r kill -9 <"$file" || :
	done < <(find "/sys/fs/cgroup/user.slice" -name cgroup.procs)
}
session_ends() {
	find /sys/fs/cgroup/user.slice -depth -type d -exec rmdir {} +
}

# rootless_runs NAME OPTION…: run a container of the user until the test ends. Only its loopback device connects it.
rootless_runs() {
	as_user podman run -d --network none --name "$1" "${@:2}" busybox sleep 1000 >"$OUT/podman.$1" 2>&1 ||
		fail "podman: $(cat "$OUT/podman.$1")"
}
