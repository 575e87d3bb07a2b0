#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the report lists packets that packet sockets missed: with and without a ring, filtered, in a fanout group, and at both ends
# requires: jq
# timeout: 300

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/packet-losses.sh"

two_namespaces
sockets=()

# opened NAME NAMESPACE DEVICE VERSION PORT [FANOUT]: open a packet socket that no program reads
opened() {
	local fd
	mkfifo "$OUT/$1.end"
	ip netns exec "$2" perl "$here/packet-socket.pl" "${@:3}" <"$OUT/$1.end" >"$OUT/$1" 2>"$OUT/$1.error" &
	pids[$1]=$!
	at_exit stop $!
	exec {fd}>"$OUT/$1.end"
	fds[$1]=$fd
	wait_for "the packet socket $1" test -s "$OUT/$1"
	sockets+=("$1")
}

declare -A pids fds
for version in 0 1 2 3; do
	opened "receiver-v$version" B vb $version 9000
done
opened sender-v0 A va 0 9000
opened sender-v3 A va 3 9000
opened filtered-v0 B vb 0 9
opened filtered-v2 B vb 2 9
opened fanout-1 B vb 0 9000 7
opened fanout-2 B vb 2 9000 7

# The ring of a TPACKET_V3 socket has room for only about 80 packets.
record_numbered 150
write_json
all=0
for name in "${sockets[@]}"; do
	echo >&"${fds[$name]}"
	wait "${pids[$name]}" || fail "$name: $(cat "$OUT/$name.error")"
	read -r _ dropped <<<"$(sed -n 2p "$OUT/$name")"
	is "$(lost ".socket == $(head -n 1 "$OUT/$name") and .result == \"full\" and .process == \"perl\"")" "$dropped" "$name: packets that the kernel dropped"
	[[ $name = filtered-* ]] || [ "$dropped" -gt 0 ] || fail "$name lost nothing"
	all=$((all + dropped))
done
is "$(lost true)" "$all" "losses of all packet sockets"
