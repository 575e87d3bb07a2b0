#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the summary shows the command that made the recording; hostile and long arguments stay words of a shell
# requires: jq

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B
. "$(dirname "$0")/../lib/lib.sh"
. "$here/bytes.sh"

cd "$OUT"
two_namespaces
neighbours_known
hostile=$'it\'s "$(touch injected)" `x` \e[31m * ;'

# arguments WORD…: record with these words, and check that the JSON summary has them
arguments() {
	trace-cmd record-skb "$@" >out 2>said || fail "$(cat said)"
	trace-cmd report-skb -i a.dat --summary --json >json 2>/dev/null
	matches_schema json "the summary"
	trace-cmd report-skb -i a.dat >summary 2>/dev/null
	eval "set -- words $(jq -r .arguments json)"
	printf '<%s>' "${@:2}" >read
	[ ! -e injected ] || fail "a word was executed"
}
send() { printf '%s\0' -o a.dat -p 9000 -- ip netns exec A bash -c 'echo x >/dev/udp/10.9.0.2/9000' "$@"; }

mapfile -d '' words < <(send)
arguments "${words[@]}"
is "$(cat read)" "$(printf '<%s>' "${words[@]}")" "the words"
is "$(grep -c "^trace-cmd record-skb -p 9000 -- ip netns exec A bash -c" summary)" 1 "the line of the summary"
mapfile -d '' words < <(send "$hostile")
arguments "${words[@]}"
is "$(cat read)" "$(printf '<%s>' "${words[@]}")" "hostile words"
has_not "$(cat summary)" $'\e' "escape sequences"
mapfile -d '' words < <(send $(seq 1 1000))
arguments "${words[@]}"
has "$(cat read)" '<199><[0-9.><]*<\.\.\.>$' "long arguments are cut"
is "$(wc -l <summary | awk '{ print $1 <= 24 + 4 }')" 1 "the summary with its list"

trace-cmd record-skb -o a.dat --ring 1M --until time=1s -p 9000 >out 2>said || fail "$(cat said)"
trace-cmd report-skb -i a.dat --summary --json >json 2>/dev/null
is "$(jq -r .arguments json)" null "a ring"
