# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# lib.sh DIR - shared by the tests of joined recordings
# shellcheck disable=SC2034 # the tests use the variables

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dir=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp "$here"/../../golden/hosts/*.dat "$tmp"
cd "$tmp" || exit 1
# Do not report memory leaks, because libtracecmd has some.
export TZ=UTC ASAN_OPTIONS=detect_leaks=0
all=(client.dat router.dat server.dat)
n=0
failed=0

report() {
	"$dir/report/trace-cmd-report-skb" "$@"
}

# result STATUS NAME: print the result of a test. After a failure, the file "why" explains it.
result() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
		return
	fi
	echo "not ok $n - $2"
	head -n 20 why | sed 's/^/# /'
	failed=1
}

# is VALUE WANTED NAME: check that VALUE and WANTED are equal
is() {
	echo "got $1, wanted $2" >why
	[ "$1" = "$2" ]
	result $? "$3"
}

# has TEXT PATTERN NAME: check that a line of TEXT matches PATTERN
has() {
	echo "$1" >why
	grep -qE -e "$2" <<<"$1"
	result $? "$3"
}

# add_arguments FILE ARGUMENTS: add arguments of record-skb, which the recordings in tests/golden do not have yet
add_arguments() {
	trace-cmd convert -i "$1" -o plain.dat --compression none >/dev/null 2>&1 && mv plain.dat "$1" && "$dir/arguments" "$1" "$2"
}
