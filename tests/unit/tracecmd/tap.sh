# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# tap.sh - source it in the scripts test-*.sh DIR, for a temporary directory, and for results as TAP
#
# shellcheck disable=SC2034 # the scripts use the variables
set -u
programs=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0
failed=

# end_of_tests: print the number of checks. Return 0 if all of them have passed.
end_of_tests() {
	echo "1..$n"
	[ -z "$failed" ]
}
