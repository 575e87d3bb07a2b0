#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: all JSON output of report-skb matches its schema: drops, failed calls, resets, copies, waits, IPv6, a ring, losses
# requires: perl socat
# tags: long
# timeout: 240

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

cd "$OUT"
two_namespaces
check_json=$(program check-json)
schema=$(dirname "$(readlink -f "$(command -v trace-cmd-report-skb)")")/../share/record-skb/report-skb.schema.json
[ -e "$schema" ] || fail "the schema is not installed: $schema"
server B 9000

# The server at port 9001 closes a connection with unread data. The server at port 9002 never reads.
cat >servers <<'END'
	use Socket;
	for (9001, 9002) { socket(my $s, PF_INET, SOCK_STREAM, 6); bind($s, pack_sockaddr_in($_, INADDR_ANY)) or die; listen($s, 5); push @s, $s }
	accept(my $c, $s[0]); select(undef, undef, undef, 0.3); close($c); accept(my $d, $s[1]); sleep 1000;
END
background ip netns exec B perl servers
wait_for "the servers" listening B 9002
cat >clients <<'END'
	ping -q -c 2 -i 0.2 10.9.0.2; ping -q -c 1 fd09::2
	echo hello | socat -t 0.2 - TCP:10.9.0.2:9000; echo hello | socat -t 0.2 - 'TCP:[fd09::2]:9000'
	echo x >/dev/udp/10.9.0.2/9009; echo x >/dev/udp/203.0.113.1/9009
	: >/dev/tcp/10.9.0.2/9009
	perl -MSocket -e 'for (9001, 9002) { socket(C, PF_INET, SOCK_STREAM, 6); connect(C, pack_sockaddr_in($_, inet_aton("10.9.0.2"))); syswrite(C, "x" x 3000);
		select(undef, undef, undef, 0.6); sysread(C, $x, 1) if $_ == 9001 }'
END
# This packet socket gets a clone of each packet, because it has no ring. tcpdump's packet socket has a
# ring.
background in_b perl -e '$| = 1; socket(S, 17, 3, 768) or die; print "ready\n"; sysread(S, $x, 9000) while 1' >tapping
wait_for "the packet socket" grep -q ready tapping
trace-cmd record-skb -o all.dat -b 16384 -- ip netns exec A bash clients >out 2>&1
trace-cmd record-skb -o ring.dat --ring 4M --until drop -p 9009 -- ip netns exec A bash -c 'sleep 0.2; echo x >/dev/udp/10.9.0.2/9009; sleep 5' >out 2>&1 ||
	fail "$(cat out)"
# Use a small trace buffer, so that entries are lost.
trace-cmd record-skb -o lost.dat --detail full -b 8 -- ip netns exec A ping -q -c 40 -f -s 8000 10.9.0.2 >out 2>&1

objects=0
for file in all ring lost; do
	for form in "" --summary --servers --flow --latency "--latency --per-flow" "--latency --per-server" --why; do
		# shellcheck disable=SC2086 # the options are several words
		trace-cmd report-skb -i $file.dat $form --json >json 2>stderr || fail "$file $form: $(cat stderr)"
		"$check_json" "$schema" <json >denied || fail "$file $form: $(cat denied)"
		objects=$((objects + $(wc -l <json)))
		cat json >>all.json
	done
done
ok "$objects objects match"
for pattern in '"type":"packet".*"what":"dropped"' '"type":"copy".*"what":"tapped"' '"type":"loss"' '"what":"call failed"' \
	'"type":"cause","what":"reset"' '"what":"not read by server"' '"type":"all servers"' '"type":"all flows"' '"address":"fd09::2"'; do
	grep -q -e "$pattern" all.json || fail "nothing in the recordings has $pattern"
done
ok "the recordings have all kinds of objects"
