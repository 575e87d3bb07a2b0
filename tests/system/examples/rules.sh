#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: check-rules.sh, a test of a router's rules for CI, passes with the right rules only, and names packets
# requires: nft socat
# timeout: 200

. "$(dirname "$0")/../lib/lib.sh"

example=$top/examples/check-rules.sh
cd "$OUT"

# rules NAME RULE…: make a rule set. Its counters are read before the example removes the router.
rules() {
	local name=$1 rule
	shift
	{
		echo 'table inet router {'
		echo '	chain through {'
		echo '		type filter hook forward priority 0; policy accept;'
		for rule; do echo "		$rule"; done
		echo '	}'
		echo '}'
	} >"$name.nft"
}

# try NAME: run the example; prints its status
try() {
	local status=0
	"$example" "$1.nft" >"$1.out" 2>"$1.err" || status=$?
	echo $status
}

rules right 'tcp dport 23 drop'
rules none
rules all 'tcp dport { 23, 80 } drop'
rules answers 'tcp dport 23 drop' 'tcp sport 80 tcp flags & syn == 0 drop'

is "$(try right)" 0 "the rules that the test wants"
is "$(cat right.out)" "" "nothing is said about right rules"

is "$(try none)" 4 "without rules"
has "$(cat none.out)" '^failed: reason\[NETFILTER_DROP\] >= 1: it is 0; the first other one is #[0-9]+ tcp 10\.8\.1\.2:[0-9]+ > 10\.8\.2\.2:23: ' \
	"without rules: the packet that was not dropped"
has "$(cat none.out)" '^failed: path !~ "west > east": .* the first is #[0-9]+ tcp 10\.8\.1\.2:[0-9]+ > 10\.8\.2\.2:23: eth0@' \
	"without rules: the packet that was forwarded"

is "$(try all)" 4 "rules that drop everything"
has "$(cat all.out)" '^failed: reason\[NETFILTER_DROP\] == 0: it is [1-9][0-9]*; the first is #[0-9]+ tcp .*:80: dropped in .*: NETFILTER_DROP$' \
	"rules that drop everything: the packet"
has "$(cat all.out)" 'table router .*chain through|inet router through|nft .*router' "rules that drop everything: the rule"

is "$(try answers)" 4 "rules that drop answers"
has "$(cat answers.out)" '^failed: unanswered == 0: |^failed: reason\[NETFILTER_DROP\] == 0: it is [1-9]' "rules that drop answers: said"

is "$(ip netns | grep -cE '^(client|router|server)')" 0 "nothing is left"

# The namespaces of a rule set that nft refuses are removed, too.
echo 'no rules' >wrong.nft
is "$(try wrong)" 1 "rules that nft refuses"
is "$(ip netns | grep -cE '^(client|router|server)')" 0 "nothing is left after wrong rules"
