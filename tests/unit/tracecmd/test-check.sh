#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test-check.sh DIR: check the line about trace-cmd in the output of "trace-cmd-record-skb --check", for the
# program in DIR
. "$(dirname "$0")/tap.sh"

# says WORDS SAID-BY-TRACE-CMD WHAT: let "trace-cmd version" print SAID-BY-TRACE-CMD. Then --check must
# print a line that matches the regular expression WORDS.
says() {
	printf '#!/bin/sh\necho "%s"\n' "$2" >"$work/trace-cmd"
	chmod +x "$work/trace-cmd"
	n=$((n + 1))
	if PATH=$work:/usr/bin:/bin "$programs/trace-cmd-record-skb" --check 2>&1 | grep -Eq "^$1\$"; then
		echo "ok $n - $3"
	else
		PATH=$work:/usr/bin:/bin "$programs/trace-cmd-record-skb" --check 2>&1 | sed -n 's/^.* trace-cmd  */# &/p'
		echo "not ok $n - $3"
		failed=y
	fi
}

says "ok +trace-cmd +$work/trace-cmd, version 9\.8\.7" 'trace-cmd version 9.8.7 (not-a-git-repo)' "--check: a trace-cmd and its version"
says "LACKS +trace-cmd +$work/trace-cmd does not print its version" hello "--check: one that does not print its version"
end_of_tests
