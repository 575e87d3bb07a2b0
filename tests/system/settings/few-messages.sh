#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a successful recording prints only its counts, its most important finding and the next command
# requires: nft
# tags: long
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
two_namespaces
neighbours_known
tasks=$(program tasks)
server B 9000
in_b nft -f - <<-'END'
	table inet witness {
		chain in { type filter hook input priority 0; udp dport 9001 counter drop
		}
	}
END

# only_results WHAT: check that each message is a count, the finding or the next command. Set $finding and
# $next.
only_results() {
	local counts='^([0-9]+ packets? matched, [0-9]+ flows? seen|[0-9]+ entries recorded, 0 lost|[^ ]+: [0-9.]+ [KM]?B|ended by --until.*)$'
	grep -Ev "$counts" said >rest || fail "$1: no finding in: $(cat said)"
	next=$(sed -n 's/^next: //p' rest)
	finding=$(grep -v '^next: ' rest || :)
	[ -n "$next" ] || fail "$1: no next command in: $(cat said)"
	echo "# $1: $finding | $next"
	# At the end of its summary, report-skb must print the same finding and the same command.
	trace-cmd report-skb -i "$2" --summary 2>&1 | awk '/^$/ { exit } { print }' >summary
	is "$(cat rest)" "$(tail -n "$(wc -l <rest)" summary)" "$1: the finding of report-skb, and nothing else"
	bash -c "$next" >shown 2>&1 || fail "$1: $next fails: $(cat shown)"
}

record() {
	is "$(status_of trace-cmd record-skb "${few[@]}" "$@")" 0 "recording: $*"
	mv stderr said
}

record -o ping.dat -- ip netns exec A ping -q -c 2 -i 0.2 10.9.0.2
only_results ping ping.dat
has "$finding" '^(Nothing was dropped or refused|The longest delay is)' "ping: the finding"

record --why -o drop.dat -p 9001 -- ip netns exec A bash -c 'for i in 1 2 3; do echo x >/dev/udp/10.9.0.2/9001; done'
only_results drops drop.dat
dropped=$(in_b nft list table inet witness | sed -n 's/.*counter packets \([0-9]*\).*/\1/p')
has "$finding" "^$dropped of [0-9]+ packets .*NETFILTER_DROP" "drops: as many as nft has counted"
has "$(cat shown)" 'udp dport 9001' "drops: the next command shows the rule"

record -o ring.dat --ring 4M --until drop -p 9001 -- ip netns exec A bash -c 'sleep 0.2; echo x >/dev/udp/10.9.0.2/9001; sleep 20'
only_results ring ring.dat

# A server sleeps in accept() when the recording ends, so the module has to stay loaded. The user need not
# act, so no message may say this.
record -o server.dat -- ip netns exec B sh -c '"$0" accept 9100 & until grep -q inet_csk_accept /proc/$!/stack; do sleep 0.1; done' "$tasks"
left=$(pgrep -f "^$tasks accept 9100")
at_exit sh -c "kill $left 2>/dev/null; :"
grep -q '^record_skb ' /proc/modules || fail "the module does not stay, so the message would not be printed anyway"
has_not "$(cat said)" 'the module|disarmed' "nothing about the module"
kill "$left"

# If report-skb takes longer than 10 seconds, the recorder ends it and prints only the next command.
mkdir bin
cp "$(readlink -f "$(command -v trace-cmd-record-skb)")" bin/trace-cmd-record-skb
printf '#!/bin/sh\nexec sleep 100\n' >bin/trace-cmd-report-skb
chmod +x bin/*
begin=$(date +%s%N)
record -o quick.dat -- ip netns exec A ping -q -c 1 10.9.0.2
quick=$((($(date +%s%N) - begin) / 1000000))
begin=$(date +%s%N)
is "$(status_of bin/trace-cmd-record-skb "${few[@]}" -o slow.dat -- ip netns exec A ping -q -c 1 10.9.0.2)" 0 "a reader that takes too long"
slow=$((($(date +%s%N) - begin) / 1000000))
echo "# ${quick} ms, ${slow} ms with a reader that takes 100 s"
[ $((slow - quick)) -lt $((10000 + $(as_long 1) * 5000)) ] || fail "the end is delayed by $((slow - quick)) ms"
is "$(tail -n 1 stderr)" "next: trace-cmd report-skb -i slow.dat" "the command alone"
