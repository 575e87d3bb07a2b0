# SPDX-License-Identifier: GPL-2.0
# ssh-guests.sh - SSH servers on three guests, for --on. On the router, the user is not root but may use sudo.
# shellcheck disable=SC2154 # lib.sh or the test sets the other variables.

. "$here/ssh-client.sh"

# ssh_guests: start a server on each guest, and write a configuration for the client
ssh_guests() {
	local dir=$shared/ssh host
	ssh_client "$dir" recorder
	cat >"$dir/start" <<-'END'
		set -eu
		mkdir -p /tmp/ssh /run/sshd
		chmod 755 /tmp/ssh /run/sshd
		cp "$1/user.pub" "$1/host" /tmp/ssh/
		chmod 644 /tmp/ssh/user.pub
		chmod 600 /tmp/ssh/host
		ip link set lo up
		printf 'HostKey /tmp/ssh/host\nAuthorizedKeysFile /tmp/ssh/user.pub\nStrictModes no\nUsePAM no\nPidFile none\n' >/tmp/ssh/config
		exec /usr/sbin/sshd -D -e -f /tmp/ssh/config 2>/tmp/ssh/log
	END
	on_shell router <<-'END'
		useradd -m -s /bin/sh recorder
		# sshd refuses an account without a password as locked.
		usermod -p '*' recorder
		echo 'recorder ALL=(root) NOPASSWD: ALL' >/etc/sudoers.d/recorder
		chmod 440 /etc/sudoers.d/recorder
	END
	bash "$dir/start" "$dir" &
	at_exit stop $!
	on router bash "$dir/start" "$dir" &
	on server bash "$dir/start" "$dir" &
	at_exit on router pkill -x sshd
	at_exit on server pkill -x sshd
	for host in client router server; do
		# shellcheck disable=SC2086 # the command has several words
		wait_for "the SSH server of $host" $RECORD_SKB_SSH "$host" true
	done
}
