# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# tls-sockets.sh - connections of kernel TLS from A to B, and recordings of them. TLS makes skbs that borrow a
# receive queue.
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

modprobe tls 2>/dev/null || skip "no TLS in this kernel"
two_namespaces
# Disable IPv6, so that only socat's packets are on the link.
for ns in A B; do
	ip netns exec $ns sysctl -q net.ipv6.conf.all.disable_ipv6=1
done
count_in_both input ''
neighbours_known
tls_stat() {
	cat <(in_a cat /proc/net/tls_stat) <(in_b cat /proc/net/tls_stat) | awk -v name="$1" '$1 == name { n += $2 } END { print n }'
}

# Use these functions as probe points. They get an skb of TLS that has no header of its own, and that
# borrows the receive queue of the socket.
points=()
for function in 'tls_*' __skb_nsg skb_to_sgvec skb_cow_data skb_copy_datagram_iter; do
	! trace-cmd record-skb --list-points "$function" >"$OUT/listed" 2>&1 || points+=(-g "$function")
done
ok "with ${points[*]}"

# socat sets the socket options of kernel TLS itself, so there is no handshake. $keys is a struct
# tls12_crypto_info_aes_gcm_128. Both directions use the same keys.
keys=x0303330001020304050607080102030405060708090a0b0c0d0e0f10a1a2a3a40000000000000000
tls=setsockopt=6:31:x746c73,setsockopt=282:1:$keys,setsockopt=282:2:$keys
head -c 500000 /dev/urandom >"$OUT/much"
# With --detail full, the debug kernel records 13,000 entries for each packet.
buffer=16384
[ "$VM_KERNEL" != debug ] || buffer=65536
head -c 40000 /dev/urandom >"$OUT/some"
head -c 50 /dev/urandom >"$OUT/little"
connections=0

# send FILE SIZE [OPTIONS]: send FILE from A to B in TLS records of SIZE bytes. OPTIONS are socat's options
# for the socket of B.
send() {
	in_b socat -u "TCP4-LISTEN:9000,reuseaddr,$tls${3:+,$3}" "CREATE:$OUT/arrived" &
	local receiver=$!
	at_exit stop $receiver
	wait_for "a server" listening B 9000
	in_a socat -u -b "$2" "OPEN:$1" "TCP4:10.9.0.2:9000,$tls"
	wait $receiver
	cmp "$1" "$OUT/arrived" || fail "the received file differs from the sent one"
	connections=$((connections + 1))
	ok "$(wc -c <"$1") bytes arrive, $2 a record${3:+, with $3}"
}
over() {
	local ns
	for ns in A B; do
		! ip netns exec $ns ss -Htan state connected exclude time-wait | grep -q ':9000 ' || return 1
	done
}

# recorded FILE DETAIL ARGS…: record while FILE is sent, and check the recorded packets
recorded() {
	local was
	was=$(counted_in_both)
	start_recording --detail "$2" -b $buffer "${points[@]}" "${@:3}"
	send "$OUT/$1" 16384
	send "$OUT/$1" 16384 rcvbuf=4096
	send "$OUT/little" 1
	wait_for "the end of all connections" over
	kill -INT "$recording"
	wait "$recording"
	only_calls_lost "$OUT/said"
	balanced "$OUT/trace.dat"
	is "$(sed -n 's/ packets matched.*//p' "$OUT/said")" $(($(counted_in_both) - was)) "${*:2}: packets, as nftables counts them"
	trace-cmd report-skb --list -i "$OUT/trace.dat" >"$OUT/packets"
	# TCP drops retransmissions and segments beyond the window. All other data must be delivered.
	awk '$6 == "10.9.0.2:9000" && $7 !~ /S/ && $10 > 52 && !/delivered to a socket|dropped in tcp_.*: TCP_/' "$OUT/packets" >"$OUT/otherwise"
	is "$(cat "$OUT/otherwise")" "" "packets with data that do not reach the socket"
	trace-cmd report -i "$OUT/trace.dat" >"$OUT/report"
	[ "$(grep -c "other: *tls_rx_msg_size of another packet" "$OUT/report")" -gt 20 ] || fail "there were few skbs that borrow a queue"
	ok "beside skbs that borrow a queue"
}

# tls_sockets_work: check that the kernel counted all TLS sockets, and no error
tls_sockets_work() {
	is "$(tls_stat TlsRxSw), $(tls_stat TlsDecryptError)" "$((2 * connections)), 0" "TLS sockets and their errors, by the kernel"
}
