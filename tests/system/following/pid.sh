#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: -P follows running processes, their open sockets and their children, until the last process has ended or Ctrl-C
# tags: slow
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"

cd "$OUT"
peer
traffic=$(program traffic)

# Start a server and a shell before the recording. They have no shell around them, so $! is their PID. The
# server sleeps in accept() on a socket that it opened before the recording. The shell starts children
# later.
ip netns exec A "$tasks" serve 9100 2 &
server=$!
at_exit stop "$server"
wait_for "the server" listening A 9100
cat >worker <<'END'
until [ -e go ]; do sleep 0.1; done
"$1" ask 10.9.0.2 9000 &
wait $!
until [ -e stop ]; do sleep 0.1; done
END
ip netns exec A bash worker "$tasks" &
worker=$!
at_exit stop "$worker"

ip netns exec A trace-cmd record-skb "${few[@]}" -o pids.dat -P "$server" -P "$worker" 2>pids.said &
cli=$!
wait_for "the recording" armed
in_b "$tasks" fetch 10.9.0.1 9100
touch go
in_b "$tasks" fetch 10.9.0.1 9100
# The server has ended. The shell continues, and the recording must continue, too.
wait "$server" || fail "the server"
kill -0 "$cli" || fail "the recording ended with the first of two"
touch stop
wait "$worker" || fail "the shell"
wait "$cli" || fail "the recording: $(cat pids.said)"
ok "the recording ends with the last process"
nothing_lost pids.said
nothing_of_noise pids.dat
is "$(list_followed begins raw | grep 9100)" "2 10.9.0.1:9100
2 10.9.0.1:9100" "-P: both clients of the server from their SYN on"
in_order report "ip_rcv=#[0-9]+ tcp 10\.9\.0\.2:[0-9]+ > 10\.9\.0\.1:9100" "__sys_sendto=call tcp 10\.9\.0\.1:9100"
has "$(cat report)" '__sys_socket\(\).*call udp' "-P: a child's first socket call"
is "$(list_followed flows raw | cut -d ' ' -f 1 | sort | tr '\n' ' ')" "17 6 6 " "-P: the flows of both processes"

# The connection of this process is older than the recording. Record the process until Ctrl-C.
ip netns exec A "$traffic" stream 10.9.0.2 9000 >stream &
stream=$!
at_exit stop "$stream"
ip netns exec A trace-cmd record-skb "${few[@]}" -o one.dat -P "$stream" 2>one.said &
cli=$!
wait_for "the recording" armed
wait_for "traffic" stream_flows
kill -INT "$cli"
wait "$cli" || fail "Ctrl-C: $(cat one.said)"
tcp_stream_ends
nothing_of_noise one.dat
is "$(list_followed tasks raw)" "$stream" "-P, Ctrl-C: the process with socket calls"
is "$(list_followed flows raw | wc -l)" 1 "-P, Ctrl-C: its flow, which is older than the recording"
is "$(status_of trace-cmd record-skb -P 999999)" 125 "-P: no such process"
has "$(cat stderr)" 'cannot follow 999999: No such process' "-P: the message"
