# SPDX-License-Identifier: GPL-2.0
# lib.sh - shared by the scripts in this directory, which source it
# shellcheck shell=bash
# shellcheck disable=SC2034 # The caller uses the variables.
set -u -o pipefail

dir=$1
here=$(cd "$(dirname "$0")" && pwd)
golden=$(cd "$here/../../golden" && pwd)
report_skb=$dir/report/trace-cmd-report-skb
tmp=$(mktemp -d)
trap 'rm -r "$tmp"' EXIT
tests=0
failed=0

# ok STATUS NAME: print the result of a test. After a failure, $tmp/why explains it.
ok() {
	tests=$((tests + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tests - $2"
	else
		echo "not ok $tests - $2"
		head -n 20 "$tmp/why" | sed 's/^/# /'
		failed=1
	fi
}

# raw_report FILE: print all rows of FILE with trace-cmd report, without plugins
raw_report() {
	HOME=/nonexistent TRACEEVENT_PLUGIN_DIR=/nonexistent timeout 60 trace-cmd report -R -t -i "$1" 2>/dev/null
}

# causes_of FILE: print the causes of drops that --why shows
causes_of() {
	"$report_skb" "$1" --why --json 2>/dev/null | jq -r 'select(.what == "dropped") | .cause' | sort -u
}

# refused OPTION: run several wrong commands that would write a file with OPTION. Each of them must print
# one line, and leave the existing file unchanged.
refused() {
	local file=$tmp/kept
	echo kept >"$file"
	cp "$golden/6.1.dat" "$tmp/copy.dat"
	cp "$golden/6.12.dat" "$tmp/other.dat"
	head -c 5000 "$golden/6.1.dat" >"$tmp/half.dat"
	refuses 125 "$tmp/half.dat" "$1" "$file" &&
		refuses 125 /dev/null "$1" "$file" &&
		refuses 125 "$tmp/copy.dat" "$1" "$file" 'no such expression' &&
		refuses 125 "$tmp/copy.dat" "$1" "$tmp/copy.dat" &&
		refuses 125 "$tmp/copy.dat" "$1" "$tmp/other.dat" && cmp "$tmp/other.dat" "$golden/6.12.dat" 2>"$tmp/why" &&
		refuses 125 "$tmp/copy.dat" "$1" /nonexistent/file &&
		refuses 125 "$tmp/copy.dat" "$1" "$file" --json &&
		[ "$(cat "$file")" = kept ] && cmp "$tmp/copy.dat" "$golden/6.1.dat" 2>"$tmp/why"
}

# refuses STATUS ARGS…: check that report-skb prints one line and exits with STATUS
refuses() {
	local status=$1
	shift
	"$report_skb" "$@" >"$tmp/out" 2>"$tmp/err"
	[ $? = "$status" ] && [ "$(wc -l <"$tmp/err")" = 1 ] && [ ! -s "$tmp/out" ] && return
	{ echo "$*:" && cat "$tmp/err"; } >"$tmp/why"
	return 1
}

# instructions COMMAND…: print how many instructions COMMAND needs
instructions() {
	HOME=/nonexistent valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$@" 2>&1 >/dev/null |
		sed -n 's/.*refs: *//p' | tr -d ,
}
