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
# libtracecmd has memory leaks.
export TZ=UTC ASAN_OPTIONS=detect_leaks=0
all=(client.dat router.dat server.dat)
n=0
failed=0

report() {
	"$dir/report/trace-cmd-report-skb" "$@"
}

# result STATUS NAME: the file "why" explains a failure
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

# is VALUE WANTED NAME
is() {
	echo "got $1, wanted $2" >why
	[ "$1" = "$2" ]
	result $? "$3"
}

# has TEXT PATTERN NAME
has() {
	echo "$1" >why
	grep -qE -e "$2" <<<"$1"
	result $? "$3"
}
