# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# shared.sh - shared recordings. nftables in B counts the packets of each recording.
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

traffic=$(program traffic)
cd "$OUT"

# record NAME ARGS…: start a recording in A. Set $pid to its PID, and add the PID to $pids.
pids=()
record() {
	ip netns exec A trace-cmd record-skb --shared -o "$1.dat" "${@:2}" 2>"$1.said" &
	pid=$!
	pids+=("$pid")
	at_exit stop $pid
}
recorded() {
	local name
	for name; do
		wait_for "$name" grep -q "recording until" "$name.said"
	done
}

# refused WHAT PATTERN ARGS…: check that another recording is refused with a message that matches PATTERN
refused() {
	is "$(status_of trace-cmd record-skb -o refused.dat "${@:3}" -- true)" 125 "$1 is refused"
	has "$(cat stderr)" "^trace-cmd record-skb: trace-cmd[-a-z]* \\(pid [0-9]+\\) is recording packets: $2" "the message gives the reason"
	is "$(wc -l <stderr)" 1 "lines of complaint"
	[ ! -e refused.dat ] || fail "it left a file"
}

# idle: true if all connections of B have ended
idle() {
	[ -z "$(ip netns exec B ss -Htn state established state last-ack state close-wait state fin-wait-1)" ]
}

# right NAME COUNTER: check the recording NAME. It must have as many packets as the nftables counter
# COUNTER, and no entries of other recordings.
right() {
	local packets
	packets=$(packets_of B inet witness "$2")
	[ "$packets" -ge 8 ] || fail "$1: there were $packets packets only"
	is "$(sed -n 's/ packets matched.*//p' "$1.said")" "$packets" "$1: packets, as nftables counted them"
	nothing_lost "$1.said"
	balanced "$1.dat"
	owners "$1.dat"
}

# without TEXT PATTERN: print the lines of TEXT that do not match PATTERN
without() {
	grep -Ev -e "$2" <<<"$1" || :
}

# own_rows NAME PATTERN: call this function after right(). All rows must have the number and the gate of
# this recording, and the flows that PATTERN matches. report-skb must show the right number of packets. Add
# the recording's number to $numbers.
numbers=
own_rows() {
	local name=$1 mine="$2( |\$)" number flows
	number=$(sed -nE 's/.* recording=([0-9]+).*/\1/p' raw | sort -u)
	has "$number" '^[1-4]$' "$name: its events are its own"
	numbers="$numbers $number"
	has_not "$(grep -v "record_skb_gate_$number" raw)" 'record_skb_(gate|hide)' "$name: rows with another recording's gate"
	# Ignore flows with a star, which are calls of sockets that are not connected.
	flows=$(sed -nE 's|.*/\* ((#[0-9.]+\|call) [a-z0-9]+ [^ ]+ > [^ ]+).*|\1|p' report | grep -v '\*' | sort -u)
	has "$flows" "$mine" "$name: rows have its flows"
	has_not "$(without "$flows" "$mine")" . "$name: rows with another recording's flow"
	trace-cmd report-skb --list -i "$name.dat" 2>/dev/null | grep -E '^ +[0-9]+ ' >table
	is "$(wc -l <table)" "$(sed -n 's/ packets matched.*//p' "$name.said")" "$name: as many in report-skb"
	is "$(without "$(cat table)" "$mine")" "" "$name: packets of another recording"
}

# all_restored: check that nothing is left of any recording, and that the settings of tracing are restored.
# The first recording saved the settings, and the last one must have restored them.
all_restored() {
	[ ! -e /run/record-skb-shared ] || fail "the shared settings were not restored"
	[ -z "$(ls "$tracing/instances")" ] || fail "an instance of tracing is left"
	is "$(grep -hv '^#' "$tracing/set_graph_function" "$tracing/set_graph_notrace")" "" "no gate is left"
}
