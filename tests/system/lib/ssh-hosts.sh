# SPDX-License-Identifier: GPL-2.0
# ssh-hosts.sh - an SSH server on each of the three hosts of hosts.sh, for --on
# shellcheck disable=SC2154 # lib.sh or the test sets the other variables.

. "$here/ssh-client.sh"

# ssh_hosts HOST…: start a server in the namespace of each host, and write a configuration for the client
ssh_hosts() {
	local dir=$OUT/ssh host
	mkdir -p /run/sshd
	chmod 755 /run/sshd
	ssh_client "$dir" root
	for host; do
		ssh_server "$host"
	done
}

# ssh_server HOST: start the server of HOST. All hosts share one kernel, so recordings need --netns. The
# script trace-cmd of each host adds this option.
ssh_server() {
	local host=$1 dir=$OUT/ssh
	mkdir "$dir/$host.bin"
	cat >"$dir/$host.bin/trace-cmd" <<-END
		#!/bin/sh
		shift
		exec $(command -v trace-cmd) record-skb "\$@" --netns $host
	END
	chmod +x "$dir/$host.bin/trace-cmd"
	cat >"$dir/$host" <<-END
		HostKey $dir/host
		AuthorizedKeysFile $dir/user.pub
		StrictModes no
		UsePAM no
		PermitRootLogin yes
		PidFile none
		SetEnv PATH=$dir/$host.bin:$PATH
	END
	ip netns exec "$host" unshare --uts sh -c 'hostname "$1"; exec /usr/sbin/sshd -D -e -f "$2"' - \
		"$host" "$dir/$host" 2>"$dir/$host.log" &
	at_exit stop $!
	# shellcheck disable=SC2086 # the command has several words
	wait_for "the SSH server of $host" ip netns exec client $RECORD_SKB_SSH "$host" true
}

# on_hosts ARGS…: run record-skb with ARGS on the client
on_hosts() {
	ip netns exec client trace-cmd record-skb --detail path "$@"
}

# controlled HOST: print the PID of the recorder of HOST. Its watchdog has the same command line, but
# started later.
controlled() {
	pgrep -o -f "^[^ ]*trace-cmd-record-skb --controlled .*--netns $1\$"
}
