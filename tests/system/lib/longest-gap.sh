# SPDX-License-Identifier: GPL-2.0
# longest-gap.sh - shared by tests that cause a delay, and check which cause the last line of the report
# names. Their guests count instructions (# vm: --icount), so that the times are comparable.
# shellcheck disable=SC2154 # lib.sh or the test sets the other variables.

# Keep the files in memory, because the guest's clock does not stop while the host reads or writes for the
# guest.
gaps=/tmp/gaps
mkdir -p $gaps
# shellcheck disable=SC2034 # used by lib.sh
wait_seconds=1000000
# Run everything on one CPU, so that one task delays the others.
taskset -cp 0 $$ >/dev/null
steps=$(program steps)
# shellcheck disable=SC2034 # used by the tests
traffic=$(program traffic)
export steps
asked=0
wrong=()

# serve PORT STEP…: run the steps in B, on a socket that the steps in $before set up. Set $server to the PID.
# The output goes to $gaps/server.
serve() {
	# shellcheck disable=SC2086
	ip netns exec B "$steps" ${before:-} listen "$@" >"$gaps/server" &
	server=$!
	at_exit stop "$server"
	wait_for "a server on port $1" listening B "$1"
}

# record_client PORT STEP…: record a client that runs these steps, and the server
record_client() {
	record -p "$1" -- ip netns exec A "$steps" connect 10.9.0.2 "$@"
}

# record OPTIONS…: record to $gaps/trace.dat
record() {
	trace-cmd record-skb --detail "${detail:-path}" -o "$gaps/trace.dat" "$@" >"$gaps/printed" 2>"$gaps/said" ||
		fail "$(cat "$gaps/said")"
	grep -q 'entries recorded, 0 lost' "$gaps/said" || fail "$(cat "$gaps/said")"
}

# names PLACE WORDS MS: check the last line of --latency, which names the longest delay that ended. It must
# match WORDS, an extended regular expression, and its time must be within 5% of MS. Delays that did not end
# are longer, because a server that never reads is such a delay. --list must end with the same line. It has
# no such line if no delay is much longer than the others.
names() {
	local line also
	line=$(trace-cmd report-skb --latency "$gaps/trace.dat" 2>/dev/null | tail -n 1 | sed 's/ that ended//')
	also=$(trace-cmd report-skb --list "$gaps/trace.dat" 2>&1 >/dev/null | sed -n 's/ that ended//; /^longest .*: still waiting/d; /^longest/p')
	asked=$((asked + 1))
	echo "$1: $3 ms: $line"
	[ -z "$also" ] || [ "$line" = "$also" ] || wrong+=("$1: --list ends with: $also")
	grep -Eq "^longest (gap|work) [0-9.]+ m?s: ($2)\$" <<<"$line" || wrong+=("$1: not \"$2\": $line")
	awk -v ms="$3" '{ is = $3 * ($4 == "s:" ? 1000 : 1); exit is < ms * .95 || is > ms * 1.05 }' <<<"$line" ||
		wrong+=("$1: not within 5% of $3 ms: $line")
}

# paused FILE [N]: FILE has the output of the program steps.c. Print how many milliseconds its Nth pause
# took.
paused() {
	awk -v n="${2:-1}" 'NR == n { print $1 / 1000 }' "$1"
}

all_named() {
	[ ${#wrong[@]} = 0 ] || fail "$(printf '%s\n' "of $asked places these were not named:" "${wrong[@]}")"
	ok "$asked places"
}

# warm_up: run all programs once, so that they are in memory. Reading them from disk later would distort the
# measured times.
warm_up() {
	serve 8999 accept recv 1 send 1
	record_client 8999 send 1 sleep 1 recv 1
	trace-cmd report-skb --list "$gaps/trace.dat" >"$gaps/printed" 2>&1
}
