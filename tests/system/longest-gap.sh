# SPDX-License-Identifier: GPL-2.0
# How the tests of the closing line put a delay somewhere, and ask whose the time was. Guests that count instructions
# (# vm: --icount) make that fair.
# shellcheck disable=SC2154 # What is not set here, lib.sh or the test has.

# In memory: while the host reads or writes for us, this clock runs on.
gaps=/tmp/gaps
mkdir -p $gaps
# shellcheck disable=SC2034 # of lib.sh
wait_seconds=1000000
# All on one CPU: who has it, the others wait for.
taskset -cp 0 $$ >/dev/null
steps=$(program steps)
# shellcheck disable=SC2034 # for the tests
traffic=$(program traffic)
export steps
asked=0
wrong=()

# serve PORT STEP…: in B, on a socket that has been through the steps in $before; $server is its process, $gaps/server
# what it prints
serve() {
	# shellcheck disable=SC2086
	ip netns exec B "$steps" ${before:-} listen "$@" >"$gaps/server" &
	server=$!
	at_exit stop "$server"
	wait_for "a server on port $1" listening B "$1"
}

# client PORT STEP…: record what it does, and who answers
record_client() {
	record -p "$1" -- ip netns exec A "$steps" connect 10.9.0.2 "$@"
}

# record OPTIONS…: into $gaps/trace.dat
record() {
	trace-cmd record-skb --detail "${detail:-path}" -o "$gaps/trace.dat" "$@" >"$gaps/printed" 2>"$gaps/said" ||
		fail "$(cat "$gaps/said")"
	grep -q 'entries recorded, 0 lost' "$gaps/said" || fail "$(cat "$gaps/said")"
}

# names PLACE WORDS MS: the line that closes the table and the last one of --latency both say WORDS (an extended regular
# expression), with a time that is within 5% of MS
names() {
	local line also
	line=$(trace-cmd report-skb "$gaps/trace.dat" 2>&1 >/dev/null | grep '^longest') || line="no line"
	also=$(trace-cmd report-skb --latency "$gaps/trace.dat" 2>/dev/null | tail -n 1)
	asked=$((asked + 1))
	echo "$1: $3 ms: $line"
	[ "$line" = "$also" ] || wrong+=("$1: --latency ends with: $also")
	grep -Eq "^longest (gap|work) [0-9.]+ m?s: ($2)\$" <<<"$line" || wrong+=("$1: not \"$2\": $line")
	awk -v ms="$3" '{ is = $3 * ($4 == "s:" ? 1000 : 1); exit is < ms * .95 || is > ms * 1.05 }' <<<"$line" ||
		wrong+=("$1: not within 5% of $3 ms: $line")
}

# paused FILE [N]: what the Nth pause of the steps that printed FILE really took, in milliseconds
paused() {
	awk -v n="${2:-1}" 'NR == n { print $1 / 1000 }' "$1"
}

all_named() {
	[ ${#wrong[@]} = 0 ] || fail "$(printf '%s\n' "of $asked places these were not named:" "${wrong[@]}")"
	ok "$asked places"
}

# What runs is read from disk now, which no clock of the guest counts.
warm_up() {
	serve 8999 accept recv 1 send 1
	record_client 8999 send 1 sleep 1 recv 1
	trace-cmd report-skb "$gaps/trace.dat" >"$gaps/printed" 2>&1
}
