#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: trace-cmd record-skb -p 9000 -- ping -c 1 HOST records this ping's request and reply, and no other pings
# tags: main
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
echo_server B 9000
traffic=$(program traffic)
background in_a ping -q -i 0.1 10.9.0.2 >/dev/null

cd "$OUT"
echo "10.9.0.2 the-other-host" >>/etc/hosts
at_exit sed -i '/the-other-host/d' /etc/hosts
status=0
in_a trace-cmd record-skb -p 9000 -- ping -c 1 the-other-host >stdout 2>stderr || status=$?
is "$status" 0 "exit status"
has "$(cat stdout)" '^1 packets transmitted, 1 received, 0% packet loss' "the output of ping is unchanged"
has "$(cat stderr)" '^[1-9][0-9]+ entries recorded, 0 lost$' "the summary"
[ -s trace.dat ] || fail "there is no trace.dat"

balanced trace.dat
owners trace.dat
is "$(grep -o '#[0-9]* icmp [0-9.]* > [0-9.]* echo [a-z]*' report | sort -u)" \
	"#1 icmp 10.9.0.1 > 10.9.0.2 echo request
#2 icmp 10.9.0.2 > 10.9.0.1 echo reply" "one request, one reply"
is "$(grep -o 'echo [a-z]* id [0-9]*' report | grep -o 'id.*' | sort -u | wc -l)" 1 "both have one ping id"
has "$(cat report)" 'icmp_rcv\(\) \{ /\* #1 icmp' "the request arrives"
has "$(cat report)" 'icmp_(rcv|echo|reply).*\(\).* /\* #1 icmp' "the request is answered"
has "$(cat report)" '(ping_rcv|raw_rcv|raw_local_deliver)\(\).* /\* #2 icmp' "the reply reaches ping"

# -p 9000 also selects packets of port 9000 from other processes, but this test sends none.
has_not "$(cat report)" ':9000\b' "no packet of port 9000"
