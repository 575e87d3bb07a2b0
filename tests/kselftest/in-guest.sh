# SPDX-License-Identifier: GPL-2.0
# Functions for scripts that run the kernel's own tests in a guest. Such a script sources
# tests/system/lib/lib.sh before this file. Below, SCRIPT is a path below the kernel's
# tools/testing/selftests, and HOW is "bare" or "recorded". The output of a run is in $OUT.
# shellcheck disable=SC2154 # lib.sh sets the other variables.

kselftest=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tree=/tmp/kselftest

# kselftest_copy DIR…: copy the scripts to $tree, because they write to their own directory. Make the copies
# executable: two of Debian's scripts are not.
kselftest_copy() {
	mkdir -p $tree
	(cd "$kselftest/../../build/kselftest" && cp -a "$@" $tree/)
	find $tree -name '*.sh' -exec chmod +x {} +
}

# contained SECONDS SCRIPT: run SCRIPT in new process, mount and network namespaces, so that all its
# processes end together with the first process. WireGuard's script runs without a new network namespace,
# because it makes its own, and needs a setting that only the first network namespace of the guest has.
contained() {
	local net=--net
	[ "${2%%/*}" != wireguard ] || net=
	# shellcheck disable=SC2086
	timeout -s KILL "$1" unshare $net --mount --pid --fork --kill-child --mount-proc \
		"$kselftest/contained" "$tree/$2" </dev/null
}

# said_by HOW SCRIPT: print the name of the file with the output of this run. The last line of the file is the
# exit status of SCRIPT.
said_by() {
	echo "$OUT/${2//\//-}.$1"
}

# run HOW SCRIPT SECONDS: run SCRIPT for at most SECONDS, and write its output and exit status to the file
# that said_by() names
run() {
	local status=0 said
	said=$(said_by "$1" "$2")
	echo "tests/kselftest: $2, $1" >/dev/kmsg
	{ contained "$3" "$2" || status=$?; } >"$said" 2>&1
	echo "exit status $status" >>"$said"
}

# exit_of HOW SCRIPT: print the exit status that run() wrote for SCRIPT
exit_of() {
	sed -n '$s/^exit status //p' "$(said_by "$1" "$2")"
}

# verdicts HOW SCRIPT: print the lines of the output that have a verdict, without colours, times and random
# parts of names.
verdicts() {
	sed 's/\x1b\[[0-9;]*m//g' "$(said_by "$1" "$2")" |
		grep -aE '\b(not ok|ok|OK|PASS(ED)?|FAIL(ED)?|SKIP(PED)?|XFAIL|[Pp]assed|[Ff]ailed|exit status)\b' |
		sed -E 's/[0-9.]+ ?(ms|us|ns|sec|seconds|s|%|MB\/s|calls\/s|msg\/s)\b/TIME/g; s/\b(ns[a-z0-9]*)-[A-Za-z0-9]{6,8}\b/\1/g'
}

# differ SCRIPT: print the differences between the verdicts of the two runs.
differ() {
	diff <(verdicts bare "$1") <(verdicts recorded "$1") || :
}

recording_is_ready() {
	grep -q '^trace-cmd record-skb: recording until' "$OUT/said"
}

# record_begin: start a recording of all packets of the machine. record_end: end this recording and remove its
# files. $OUT/said has the summary.
record_begin() {
	trace-cmd record-skb --detail path -b 4096 -o /tmp/everything.dat 'ip or not ip' 2>"$OUT/said" &
	recorder=$!
	wait_for "the recording" recording_is_ready
}
record_end() {
	local status=0
	kill -INT "$recorder"
	wait "$recorder" || status=$?
	rm -f /tmp/everything.dat*
	return "$status"
}
