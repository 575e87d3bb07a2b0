# SPDX-License-Identifier: GPL-2.0
# follow.sh - shared by tests that follow a command. Other processes make the same kind of traffic ("noise").
# The checks require that none of their packets and calls is recorded.
# shellcheck disable=SC2154 # lib.sh or the test sets the other variables.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

# These tests are about calls and packets, so record only the probe points and one function of a driver.
few=(-l veth_xmit)

# anyone_pings: let ping use an ICMP socket, as on most machines, and not a raw socket.
anyone_pings() {
	in_a sysctl -q -w net.ipv4.ping_group_range="0 2147483647"
}

# noise: start three processes in A that send to B like the command: over TCP to port 7001, over UDP to port
# 7002, and ping. Servers must run on these ports. Set $noise to the PIDs of the processes.
noise() {
	local traffic tasks
	traffic=$(program traffic)
	tasks=$(program tasks)
	noise=
	ip netns exec A "$traffic" chat 10.9.0.2 7001 &
	noise+=" $!"
	at_exit stop $!
	ip netns exec A "$tasks" queries 10.9.0.2 7002 &
	noise+=" $!"
	at_exit stop $!
	ip netns exec A ping -q -i 0.1 10.9.0.2 >/dev/null &
	noise+=" $!"
	at_exit stop $!
}

# noise_sent: print how many packets have left A.
noise_sent() {
	in_a sh -c 'cat /sys/class/net/[!l]*/statistics/tx_packets' | awk '{ sum += $1 } END { print sum }'
}

# noise_servers NAMESPACE: start the servers to which the noise sends
noise_servers() {
	local tasks
	tasks=$(program tasks)
	echo_server "$1" 7001
	background ip netns exec "$1" "$tasks" answers 7002
	wait_for "a server on UDP port 7002" udp_listening "$1" 7002
}

# list_followed WANT RAW: print the list WANT of the rows in the file RAW; followed.awk describes the lists
list_followed() {
	awk -v want="$1" -f "$here/rows.awk" -f "$here/followed.awk" "$2"
}

# nothing_of_noise TRACE: check that nothing of the noise was recorded. Write the reports of TRACE to $OUT/raw
# and $OUT/report.
nothing_of_noise() {
	local task
	balanced "$1"
	# For IPv6, owners.awk cannot compare the addresses, because trace-cmd report -R prints them as
	# text.
	if [ "${family:-}" = -6 ]; then
		trace-cmd report -i "$1" >"$OUT/report"
	else
		owners "$1"
	fi
	for task in $noise; do
		has_not "$(list_followed tasks "$OUT/raw")" "^$task$" "no socket call of process $task"
	done
	has_not "$(cat "$OUT/report")" ':700[12]\b' "no packet of the noise"
}

# in_order REPORT PATTERN…: check that REPORT has annotated lines of functions in this order. PATTERN is
# FUNCTION or FUNCTION=WORDS, where WORDS must be in the annotation. Both are extended regular expressions.
in_order() {
	local report=$1 line=1 at pattern words
	shift
	for pattern; do
		words=".*"
		case $pattern in
		*=*) words=".*${pattern#*=}.*" ;;
		esac
		at=$(tail -n "+$line" "$report" |
			grep -nE -m 1 "[ |](${pattern%%=*})\\(\\)(;| \\{)? +/\\* $words \\*/" | cut -d : -f 1) || :
		[ -n "$at" ] || fail "no $pattern after line $line of $report"
		line=$((line + at))
	done
	ok "$# functions in order, each with its words"
}

# peer [PORT]: set up two namespaces, servers in B on TCP and UDP port 9000 or PORT, and the noise. Set $tasks
# to the path of the client program.
peer() {
	local port=${1:-9000}
	two_namespaces
	noise_servers B
	echo_server B 9000
	tasks=$(program tasks)
	background ip netns exec B "$tasks" answers "$port"
	wait_for "a server on UDP port $port" udp_listening B "$port"
	noise
}

# followed NAMESPACE NAME [OPTIONS] -- COMMAND…: record COMMAND in NAME.dat, with few functions, and print
# the exit status of the recorder. NAME.said has the recorder's messages, and NAME.out has the output of
# COMMAND.
followed() {
	local ns=$1 name=$2 status=0
	shift 2
	ip netns exec "$ns" trace-cmd record-skb "${few[@]}" -o "$name.dat" "$@" >"$name.out" 2>"$name.said" || status=$?
	echo "$status"
}

# firsts NAME: take the first socket call of each task. For each function among these calls, print how many
# tasks began with it, and its name.
firsts() {
	list_followed first "$1.raw" | cut -d ' ' -f 2 | sort | uniq -c | sed 's/^ *//'
}

# follow NAME STATUS [OPTIONS] -- COMMAND…: record COMMAND in A, while the noise runs. The exit status must
# be STATUS, and the recording must contain nothing of the noise. The reports of the recording are in
# NAME.raw and NAME.report.
follow() {
	local name=$1 status=$2
	shift 2
	is "$(followed A "$name" "$@")" "$status" "$name: exit status"
	nothing_lost "$name.said"
	nothing_of_noise "$name.dat"
	mv raw "$name.raw"
	mv report "$name.report"
}

# flows NAME: print the number of recorded flows. Count different flow numbers for IPv6, and otherwise
# different pairs of addresses and ports.
flows() {
	if [ "${family:-}" = -6 ]; then
		sed -n 's/.* packet: .* flow=\([0-9]*\) .*/\1/p' "$1.report" | sort -u | wc -l
	else
		list_followed flows "$1.raw" | wc -l
	fi
}

# followed_client NAME PATTERN… [+ PATTERN…]… -- COMMAND…: record COMMAND. Its first call must be socket().
# Each "+" begins a new list of patterns. The patterns of one list must occur in their order. The calls that
# read need a list of their own, because a task may already sleep in such a call when the packet arrives.
followed_client() {
	local name=$1 order=() orders=() before
	shift
	while [ "$1" != -- ]; do
		if [ "$1" = + ]; then
			orders+=("$(printf '%q ' "${order[@]}")")
			order=()
		else
			order+=("$1")
		fi
		shift
	done
	shift
	orders+=("$(printf '%q ' "${order[@]}")")
	before=$(noise_sent)
	is "$(followed A "$name" "$@")" 0 "$name: exit status"
	[ "$(noise_sent)" -gt $((before + 4)) ] || fail "$name: there was no other traffic"
	nothing_lost "$name.said"
	nothing_of_noise "$name.dat"
	mv raw "$name.raw"
	mv report "$name.report"
	is "$(list_followed first "$name.raw" | sed 's/^[0-9]* //')" __sys_socket \
		"$name: one task makes socket calls, and its first is this"
	is "$(flows "$name")" 1 "$name: all packets are of one flow"
	for order in "${orders[@]}"; do
		eval "in_order $name.report $order"
	done
}

unloaded() {
	! grep -q '^record_skb ' /proc/modules
}

# asleep PATTERN FUNCTION: find the process whose command line matches PATTERN. True if this process sleeps
# in FUNCTION, which a gate has called.
asleep() {
	local pid
	pid=$(pgrep -f "$1") && grep -q "$2" "/proc/$pid/stack" && grep -q record_skb "/proc/$pid/stack"
}
