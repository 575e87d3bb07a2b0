# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# tap.sh - the beginning and the end of the scripts test-*.sh DIR: a temporary directory, and the results as TAP
#
# shellcheck disable=SC2034 # the scripts use the variables
set -u
programs=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0
failed=

# end_of_tests: print the number of checks; the status is 0 if all have passed
end_of_tests() {
	echo "1..$n"
	[ -z "$failed" ]
}
