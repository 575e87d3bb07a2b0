#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: check-rules.sh, which tests a router's rules in CI, passes only with the right rules, and names packets
# requires: nft socat
# tags: slow
# timeout: 200

# Network: client (10.8.1.2) eth0 --- west router east --- eth0 (10.8.2.2) server; examples/check-rules.sh makes it.

. "$(dirname "$0")/../lib/lib.sh"

example=$top/examples/check-rules.sh
cd "$OUT"

# rules NAME RULE…: write a rule set with these rules to NAME.nft
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

# try NAME: run the example with the rule set NAME, and print the exit status
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
is "$(cat right.out)" "" "no message about right rules"

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
has "$(cat answers.out)" '^failed: unanswered == 0: |^failed: reason\[NETFILTER_DROP\] == 0: it is [1-9]' "rules that drop answers: the message"

is "$(ip netns | grep -cE '^(client|router|server)')" 0 "nothing is left"

# The example must also remove its namespaces if nft refuses the rule set.
echo 'no rules' >wrong.nft
is "$(try wrong)" 1 "rules that nft refuses"
is "$(ip netns | grep -cE '^(client|router|server)')" 0 "nothing is left after wrong rules"
