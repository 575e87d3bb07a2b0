#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: with --on, a killed recorder, an unreachable host or a killed ssh does not harm the other recordings
# requires: /usr/sbin/sshd jq
# kernels: 6.12 newest
# timeout: 480

# Network: client (10.9.0.1) eth0 --- eth1 (10.9.0.254) router (10.8.0.254) eth2 --- eth0 (10.8.0.2) server
. "$(dirname "$0")/../lib/lib.sh"
. "$here/hosts.sh"
. "$here/ssh-hosts.sh"
cd "$OUT"
three_hosts
ssh_hosts client router server

# begin FILE HOSTS: start a recording on HOSTS. Set $joint to its PID, and $said to the file with its messages.
begin() {
	said=$1.said sent=0 back=0
	on_hosts --on "$2" --shared -o "$1" icmp 2>"$said" &
	joint=$!
	at_exit stop $joint
	wait_for "the recordings" grep -q "recording on" "$said"
}
# pings: send pings. Add the number of requests that ping has sent to $sent, and of answers to $back.
pings() {
	local counted
	counted=$(ip netns exec client ping -q -i 0.05 -c 20 10.8.0.2 | sed -n 's/^\([0-9]*\) packets transmitted, \([0-9]*\) .*/\1 \2/p')
	sent=$((sent + ${counted% *})) back=$((back + ${counted#* }))
}
# ended STATUS: end the recording by SIGINT, as Ctrl-C does, and check that its exit status is STATUS
ended() {
	local status=0
	kill -INT "$(pgrep -f '^[^ ]*trace-cmd-record-skb --detail path --on')"
	wait $joint || status=$?
	cat "$said"
	is "$status" "$1" "the exit status"
}
# complete FILE…: check that each file has as many packets as ping has counted
complete() {
	local file n
	for file; do
		n=$(trace-cmd report-skb -i "$file" --summary --json | jq .packets)
		[ "$n" -ge $((2 * back)) ] && [ "$n" -le $((sent + back)) ] || fail "$file has $n packets; ping: $sent sent, $back back"
	done
}

begin all.dat client,router,server
pings
ended 0
complete all-client.dat all-router.dat all-server.dat

# Kill the recorder of one host. Its file must stay on that host, and a message must have the command to fetch
# it.
begin killed.dat client,router,nowhere.invalid,server
has "$(cat "$said")" "^nowhere.invalid: not recorded" "a host that cannot be reached"
pings
before="$sent $back"
kill -KILL "$(controlled router)"
wait_for "the message" grep -q "^router: the file was not fetched" "$said"
pings
ended 125
complete killed-client.dat killed-server.dat
[ ! -e killed-router.dat ] || fail "there is a part of a file"
fetch=$(sed -n 's/^router: the file was not fetched; if the host has it: ssh //p' "$said")
wait_for "the file on the host" test -s /var/lib/record-skb/*.dat
wait_for "the end of the recorder" eval '! pgrep -f "trace-cmd record .*record-skb"'
ip netns exec client bash -c "$RECORD_SKB_SSH $fetch"
read -r sent back <<<"$before"
complete killed-router.dat
rm /var/lib/record-skb/*

# Kill the program that started the recordings. Each host must end its own recording, and keep the file.
begin gone.dat client,router,server
pings
kill -KILL "$(pgrep -f '^[^ ]*trace-cmd-record-skb --detail path --on')"
wait_for "the end of the recorders" eval '! pgrep -f "^[^ ]*trace-cmd-record-skb --controlled"'
files=(/var/lib/record-skb/*.dat)
is "${#files[@]}" 3 "files on the hosts"
complete "${files[@]}"
rm /var/lib/record-skb/*
