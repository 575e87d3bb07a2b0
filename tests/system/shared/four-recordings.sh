#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: four recordings at the same time, with different --detail: each has exactly its packets, as nftables counted them
# requires: nft socat
# kernels: 6.12 6.12-rt 7.2 newest
# tags: main
# timeout: 480

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
two_namespaces
echo_server B 9000 7001 7002 7003
traffic=$(program traffic)
ip -n A address add 10.9.0.3/24 dev va
in_a ping -q -c 1 -I 10.9.0.3 10.9.0.2 >ping
in_b nft -f - <<-END
	table inet witness {
		counter first { }
		counter second { }
		counter third { }
		counter fourth { }
		counter nobody { }
		chain in {
			type filter hook input priority 0;
			tcp dport 9000 counter name first
			ip saddr 10.9.0.3 counter name second
			tcp dport 7001 counter name third
			tcp dport 7002 counter name fourth
			tcp dport 7003 counter name nobody
		}
		chain out {
			type filter hook output priority 0;
			tcp sport 9000 counter name first
			ip daddr 10.9.0.3 counter name second
			tcp sport 7001 counter name third
			tcp sport 7002 counter name fourth
			tcp sport 7003 counter name nobody
		}
	}
END

# record NAME ARGS…: begin a recording; sets $pid
record() {
	ip netns exec A trace-cmd record-skb --shared -o "$1.dat" "${@:2}" 2>"$1.said" &
	pid=$!
	at_exit stop $pid
}
says() {
	grep -q "recording until" "$1.said"
}
# refused WHAT PATTERN ARGS…: check that another recording is refused
refused() {
	is "$(status_of trace-cmd record-skb -o refused.dat "${@:3}" -- true)" 125 "$1 is refused"
	has "$(cat stderr)" "^trace-cmd record-skb: trace-cmd[-a-z]* \\(pid [0-9]+\\) is recording packets: $2" "the message gives the reason"
	is "$(wc -l <stderr)" 1 "lines of complaint"
	[ ! -e refused.dat ] || fail "it left a file"
}

# The filters overlap: the second matches packets of the first.
record first -p 9000 --detail path
first=$pid
wait_for "the first" says first
refused "one that wants it for itself" "with --shared: others" -p 9000
record second -l 'ip_*' -l 'tcp_*' -- sh -c "touch up; until [ -e go ]; do sleep 0.1; done
	echo mine | socat -t 5 - TCP:10.9.0.2:9000,bind=10.9.0.3; touch talked; until [ -e enough ]; do sleep 0.1; done"
second=$pid
record third -p 7001
third=$pid
record fourth -p 7002 --detail full
fourth=$pid
wait_for "the third" says third
wait_for "the fourth" says fourth
wait_for "the second" [ -e up ]
refused "a fifth" "three others are recording, too" -p 9000 --shared

for round in 1 2 3; do
	in_a "$traffic" talk 10.9.0.2 2 9000 7001 7002 7003
	[ "$round" != 1 ] || touch go
done
wait_for "the second's command" [ -e talked ]
idle() {
	[ -z "$(ip netns exec B ss -Htn state established state last-ack state close-wait state fin-wait-1)" ]
}
wait_for "the end of all connections" idle
touch enough
kill -INT "$first" "$third" "$fourth"
for pid in $first $second $third $fourth; do
	wait "$pid" || fail "the exit status of a recording was $?: $(cat ./*.said)"
done

# mine NAME: print a pattern for the ports of its flows
mine() {
	case $1 in
	first) echo ':9000' ;;
	second) echo '10.9.0.3:[0-9]+' ;;
	third) echo ':7001' ;;
	fourth) echo ':7002' ;;
	esac
}
# without TEXT PATTERN: print the lines of TEXT that do not match
without() {
	grep -Ev -e "$2" <<<"$1" || :
}
numbers=
for name in first second third fourth; do
	packets=$(packets_of B inet witness $name)
	[ "$packets" -ge 8 ] || fail "$name: there were $packets packets only"
	is "$(sed -n 's/ packets matched.*//p' $name.said)" "$packets" "$name: packets, as nftables counted them"
	nothing_lost $name.said
	balanced $name.dat
	owners $name.dat
	number=$(sed -nE 's/.* recording=([0-9]+).*/\1/p' raw | sort -u)
	has "$number" '^[1-4]$' "$name: its events are its own"
	numbers="$numbers $number"
	has_not "$(grep -v "record_skb_gate_$number" raw)" 'record_skb_(gate|hide)' "$name: rows with another recording's gate"
	# A call of a socket that is not connected has no ports.
	flows=$(sed -nE 's|.*/\* ((#[0-9.]+\|call) [a-z0-9]+ [^ ]+ > [^ ]+).*|\1|p' report | grep -v '\*' | sort -u)
	has "$flows" "$(mine $name)( |\$)" "$name: rows have its flows"
	has_not "$(without "$flows" "$(mine $name)( |\$)")" . "$name: rows with another recording's flow"
	trace-cmd report-skb --list -i $name.dat 2>/dev/null | grep -E '^ +[0-9]+ ' >table
	is "$(wc -l <table)" "$packets" "$name: as many in report-skb"
	is "$(without "$(cat table)" "$(mine $name)( |\$)")" "" "$name: packets of another recording"
done
[ "$(packets_of B inet witness nobody)" -ge 30 ] || fail "there was too little unrelated traffic"
is "$(tr ' ' '\n' <<<"${numbers# }" | sort -n | tr '\n' ' ')" "1 2 3 4 " "their numbers"
ok "unrelated packets are in no recording"

# The first recording noted the settings to restore; the last one has restored them.
[ ! -e /run/record-skb-shared ] || fail "the shared settings were not restored"
[ -z "$(ls "$tracing/instances")" ] || fail "an instance of tracing is left"
is "$(grep -hv '^#' "$tracing/set_graph_function" "$tracing/set_graph_notrace")" "" "no gate is left"
next_is_right
