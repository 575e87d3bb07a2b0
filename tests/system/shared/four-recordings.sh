#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: four recordings run at the same time with different --detail, and each has exactly its own packets, as nftables counts them
# requires: nft socat
# kernels: 6.12 6.12-rt 7.2 newest
# tags: main
# timeout: 480

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/shared.sh"

two_namespaces
echo_server B 9000 7001 7002 7003
ip -n A address add 10.9.0.3/24 dev va
in_a ping -q -c 1 -I 10.9.0.3 10.9.0.2 >ping
in_b nft -f - <<-END
	table inet witness {
		$(printf 'counter %s { }\n' first second third fourth unrelated)
		chain in {
			type filter hook input priority 0;
			tcp dport 9000 counter name first
			ip saddr 10.9.0.3 counter name second
			tcp dport 7001 counter name third
			tcp dport 7002 counter name fourth
			tcp dport 7003 counter name unrelated
		}
		chain out {
			type filter hook output priority 0;
			tcp sport 9000 counter name first
			ip daddr 10.9.0.3 counter name second
			tcp sport 7001 counter name third
			tcp sport 7002 counter name fourth
			tcp sport 7003 counter name unrelated
		}
	}
END

# The filters overlap: the second recording matches some packets of the first one, too.
record first -p 9000 --detail path
recorded first
refused "a recording that needs exclusive use" "it uses --shared, so other recordings" -p 9000
record second -l 'ip_*' -l 'tcp_*' -- sh -c "touch up; until [ -e go ]; do sleep 0.1; done
	echo mine | socat -t 5 - TCP:10.9.0.2:9000,bind=10.9.0.3; touch talked; until [ -e enough ]; do sleep 0.1; done"
record third -p 7001
record fourth -p 7002 --detail full
recorded third fourth
wait_for "the second" [ -e up ]
refused "a fifth" "three other recordings are running, too" -p 9000 --shared

for round in 1 2 3; do
	in_a "$traffic" talk 10.9.0.2 2 9000 7001 7002 7003
	[ "$round" != 1 ] || touch go
done
wait_for "the second's command" [ -e talked ]
wait_for "the end of all connections" idle
touch enough
kill -INT "${pids[0]}" "${pids[2]}" "${pids[3]}"
for pid in "${pids[@]}"; do
	wait "$pid" || fail "the exit status of a recording was $?: $(cat ./*.said)"
done

while read -r name flows <&3; do
	right "$name" "$name"
	own_rows "$name" "$flows"
done 3<<'END'
first  :9000
second 10.9.0.3:[0-9]+
third  :7001
fourth :7002
END
[ "$(packets_of B inet witness unrelated)" -ge 30 ] || fail "there was too little unrelated traffic"
is "$(tr ' ' '\n' <<<"${numbers# }" | sort -n | tr '\n' ' ')" "1 2 3 4 " "their numbers"
ok "unrelated packets are in no recording"

all_restored
next_is_right
