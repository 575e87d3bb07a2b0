#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: report-skb names the reader of a socket or a slow server as the cause of the longest delay
# requires: tc chrt
# kernels: 6.1 6.1-rt 6.12 6.12-rt 7.2 newest
# vm: --icount --smp 1
# tags: long
# timeout: 30000

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/longest-gap.sh"

two_namespaces
warm_up

unread="#[0-9]+: it was in the socket's queue, and no program had read it"
awaited="#[0-9]+: it was in the socket's queue; its reader was in the call for it, and had no CPU or wanted more .*"

for ms in 80 200 310; do
	# Stop the reader while it is in its receive call. Then send the next byte, and let the reader
	# continue later.
	serve 9000 accept recv 1 send 1 recv 1 send 1
	record_client 9000 send 1 recv 1 sleep 5 signal 19 "$server" sleep 5 send 1 sleep $ms signal 18 "$server" recv 1
	names "a stopped reader" "$unread" "$(paused $gaps/printed 3)"

	serve 9001 signal 19 0 accept recv 1 send 1
	record_client 9001 send 1 sleep $ms signal 18 "$server" recv 1
	names "not accepted" "$unread" "$(paused $gaps/printed)"

	serve 9002 accept recv 1 send 1 sleep $ms recv 1 send 1
	record_client 9002 send 1 recv 1 send 1 recv 1
	names "a late reader" "$unread" "$(paused $gaps/server)"

	serve 9003 accept recv 1 send 1 recv 1 send 1
	record_client 9003 send 1 recv 1 sleep 5 fifo 50 send 1 spin $ms recv 1
	names "a busy CPU" "$awaited" "$(paused $gaps/printed 2)"

	serve 9004 accept set lowat 100 recv 100 send 1
	record_client 9004 set nodelay 1 sleep 50 send 50 sleep $ms send 50 recv 1
	names "SO_RCVLOWAT" "$awaited" "$(paused $gaps/printed 2)"

	# The application has the request, and takes long to answer.
	serve 9005 accept recv 1 sleep $ms send 1
	record_client 9005 send 1 recv 1
	names "a server that sleeps" '#[0-9]+ -> #[0-9]+: the application had the client.s data and had sent nothing' \
		"$(paused $gaps/server)"

	serve 9006 accept recv 1 spin $ms send 1
	record_client 9006 send 1 recv 1
	names "a server that works" '#[0-9]+ -> #[0-9]+: the application had the client.s data and had sent nothing' \
		"$(paused $gaps/server)"

	before="set rcvbuf 4608" serve 9010 accept sleep $ms recv 50000 send 1
	record_client 9010 send 50000 recv 1
	names "a zero window, and who does not read" "$unread" "$(paused $gaps/server)"
done

all_named
