#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --requests agrees with PostgreSQL's log_min_duration_statement and with psql's times
# requires: jq psql
# tags: long
# timeout: 600

# Network: A (10.9.0.1, psql) va --- vb (10.9.0.2, PostgreSQL at port 9000) B

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/bytes.sh"

two_namespaces
programs=$(echo /usr/lib/postgresql/*/bin)
data=$OUT/data
install -d -o postgres "$data"
as_postgres() {
	setpriv --reuid=postgres --regid=postgres --clear-groups env LC_ALL=C "$@"
}
as_postgres "$programs/initdb" --no-sync -A trust -E UTF8 "$data" >"$OUT/initdb" 2>&1 || fail "initdb: $(cat "$OUT/initdb")"
echo "host all all 10.9.0.0/24 trust" >>"$data/pg_hba.conf"
ip netns exec B setpriv --reuid=postgres --regid=postgres --clear-groups env LC_ALL=C TZ=UTC "$programs/postgres" -D "$data" -p 9000 \
	-c listen_addresses=10.9.0.2 -c unix_socket_directories= -c log_min_duration_statement=0 -c log_line_prefix='%p ' \
	-c fsync=off -c autovacuum=off 2>"$OUT/log" &
at_exit stop $!
WAIT_SECONDS=120 wait_for "PostgreSQL" grep -q 'ready to accept connections' "$OUT/log"

# Each script sends the statements in another order. PostgreSQL answers the statement of 300,000 bytes with
# many writes.
statements=("select pg_sleep(0.05)" "select count(*) from generate_series(1, 20000)" "select 1" "select repeat('x', 300000)"
	"select pg_sleep(0.2)" "create temp table t as select 7 as n" "select n from t" "select pg_sleep(0.1), 2")
for n in 0 1 2 3; do
	{
		printf '%s\n' '\timing on'
		for i in "${!statements[@]}"; do
			# The table "t" must exist before a statement reads it, so only the first five
			# statements change their order.
			[ "$i" -ge 5 ] || i=$(((i + n) % 5))
			echo "${statements[i]};"
		done
	} >"$OUT/script$n"
done
cat >"$OUT/clients" <<END
for n in 0 1 2 3; do
	psql -X -q -A -t -v ON_ERROR_STOP=1 -f "$OUT/script\$n" >"$OUT/psql\$n" \
		"host=10.9.0.2 port=9000 user=postgres dbname=postgres sslmode=disable gssencmode=disable" &
done
wait
END
trace-cmd record-skb -b 20000 --detail path -p 9000 -o "$OUT/trace.dat" -- ip netns exec A env LC_ALL=C bash "$OUT/clients" 2>"$OUT/said"
has "$(cat "$OUT/said")" ' 0 lost$' "no entries are lost"
trace-cmd report-skb -i "$OUT/trace.dat" --requests --json >"$OUT/json" 2>/dev/null
matches_schema "$OUT/json" "requests"

# times_of SCRIPT: print how long each statement of SCRIPT took by psql's output, in ns
times_of() {
	sed -nE 's/^Time: ([0-9.]+) ms.*/\1/p' "$OUT/psql$1" | awk '{ printf "%.0f\n", $1 * 1e6 }'
}

# check SCRIPT: compare the report with the log of PostgreSQL and with psql's times, for each statement.
# Leave out the first request, which only opens the session. psql measures the time of the whole request.
# PostgreSQL begins to measure after it has read the request, and stops before it answers.
check() {
	local first pid
	first=$(sed -n 2p "$OUT/script$1")
	pid=$(awk -v first="statement: $first" '/ duration: / && !seen[$1]++ && index($0, first) { print $1 }' "$OUT/log")
	sed -nE "s/^$pid LOG:  duration: ([0-9.]+) ms.*/\\1/p" "$OUT/log" | awk '{ printf "%.0f\n", $1 * 1e6 }' >"$OUT/durations"
	jq -r "select(.type == \"request\" and .server.pid == $pid) | \"\\(.total_ns + .rest_ns) \\(.parts.application_ns) \\(.response_bytes)\"" "$OUT/json" |
		tail -n +2 | paste -d ' ' - "$OUT/durations" <(times_of "$1") >"$OUT/compared$1"
	is "$(wc -l <"$OUT/compared$1")" ${#statements[@]} "script $1: number of requests"
	# The log rounds to microseconds. For a long answer, PostgreSQL's duration includes the calls that
	# send it.
	is "$(awk 'NF != 5 || $4 - 1000 > ($3 > 8192 ? $1 : $2) || $2 > $1 || $1 > $5 + 1000' "$OUT/compared$1")" "" \
		"script $1: PostgreSQL's duration <= application <= total <= psql's time"
	is "$(awk '{ print $1 - $4 }' "$OUT/compared$1" | sort -n | awk 'NR == 4 && $1 > 50e6')" "" "script $1: half of the totals agree with the log to 50 ms"
}

for n in 0 1 2 3; do
	check "$n"
done
