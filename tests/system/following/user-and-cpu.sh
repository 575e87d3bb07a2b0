#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: --user and --cpu set the user and the CPU of the command
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"

cd "$OUT"
peer

# Run the command as another user, on one CPU.
chmod 755 . /tmp/programs
who='
	id -un; echo $HOME; grep Cpus_allowed_list /proc/self/status
	exec "$0" ask 10.9.0.2 9000'
is "$(followed A user --user nobody --cpu 1 -- sh -c "$who" "$tasks")" 0 "--user: exit status"
is "$(tr -s '\t\n' '  ' <user.out)" "nobody $(getent passwd nobody | cut -d : -f 6) Cpus_allowed_list: 1 " \
	"--user and --cpu: the user and the CPU"
nothing_lost user.said
nothing_of_noise user.dat
is "$(list_followed first raw | cut -d ' ' -f 2)" __sys_socket "--user: from the first socket call on"
is "$(grep -E ' call: ' report | grep -c -v '\[001\]' || :)" 0 "--cpu: its calls are on that CPU"
is "$(status_of trace-cmd record-skb --user nosuchuser -- true)" 125 "--user: no such user"
