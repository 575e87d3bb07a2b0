#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb --why lists as many SYNs ignored by a full accept queue as the kernel counts
# tags: long
# requires: nft perl nstat ss
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"

two_namespaces
in_b nft -f - <<-'END'
	table inet witness {
		chain in { type filter hook input priority -300; tcp dport 9000 tcp flags & (syn|ack) == syn counter; }
		chain out { type filter hook output priority -300; tcp sport 9000 tcp flags & (syn|ack) == (syn|ack) counter; }
	}
END
counted() { # CHAIN
	in_b nft list chain inet witness "$1" | sed -n 's/.*counter packets \([0-9]*\).*/\1/p'
}
# This listener never accepts, and its accept queue has room for two connections.
background ip netns exec B perl -MSocket -e 'socket(S, PF_INET, SOCK_STREAM, 6); bind(S, sockaddr_in(9000, INADDR_ANY));
	listen(S, 1); sleep 1000'
wait_for "the listener" listening B 9000
cat >"$OUT/connect" <<-'END'
	use Socket;
	for (1 .. 5) {
		socket(my $s, PF_INET, SOCK_STREAM | 2048, 6);
		connect($s, sockaddr_in(9000, inet_aton("10.9.0.2")));
		push @s, $s;
		select(undef, undef, undef, 0.3);
	}
END
trace-cmd record-skb --why -b 8192 -o "$OUT/trace.dat" -p 9000 -- ip netns exec A perl "$OUT/connect" 2>"$OUT/said"
nothing_lost "$OUT/said"
trace-cmd report-skb -i "$OUT/trace.dat" --why >"$OUT/why" 2>/dev/null
cat "$OUT/why"
ignored=$(($(counted in) - $(counted out)))
[ "$ignored" -ge 3 ] || fail "the queue was not full: $ignored"
is "$(in_b nstat -asz TcpExtListenOverflows | awk '/Overflows/ { print $2 }')" "$ignored" "the kernel counts them"
# --why shows the first packet of each cause. A line below it says how many more packets have the same cause.
listed=$(awk '/^#.* (possibly dropped: freed|dropped) in / { n++ } /^    and [0-9]+ more/ { n += $2 } END { print n + 0 }' "$OUT/why")
is "$listed" "$ignored" "each is counted, and nothing else"
has "$(cat "$OUT/why")" 'the accept queue of port 9000 was full \(2 of 1\)' "with what may have been"
command=$(sed -n "s/^    see: \(.*\)    # in network.*/\1/p" "$OUT/why" | sort -u)
has "$(in_b sh -c "$command")" '^LISTEN +[12] +1 ' "the command shows the full queue"

# If no queue is full, --why lists no packet as possibly dropped. TCP also frees the packets that end a
# connection, and they must not appear.
server B 9001
trace-cmd record-skb --why -b 8192 -o "$OUT/trace.dat" -p 9001 -- ip netns exec A sh -c \
	'echo | socat -t 1 - TCP:10.9.0.2:9001' >"$OUT/out" 2>"$OUT/said"
trace-cmd report-skb -i "$OUT/trace.dat" --why >"$OUT/why" 2>/dev/null
cat "$OUT/why"
has_not "$(cat "$OUT/why")" 'dropped in|possibly' "a connection that is served loses nothing"

# With a filter for one direction, the recording does not contain the answers. So the report must not say
# that a packet had no answer.
trace-cmd record-skb --why -b 8192 -o "$OUT/trace.dat" --dport 9001 -- ip netns exec A sh -c \
	'echo | socat -t 1 - TCP:10.9.0.2:9001' >"$OUT/out" 2>"$OUT/said"
trace-cmd report-skb -i "$OUT/trace.dat" --why >"$OUT/why" 2>/dev/null
cat "$OUT/why"
has_not "$(cat "$OUT/why")" 'had no answer' "an answer that is not recorded is not denied"
