# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# large-packets.sh - large packets of TCP and UDP from A to B, beside other large packets that do not match
#
# shellcheck disable=SC2154 # lib.sh sets the variables.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

two_namespaces
in_a ethtool -K va tso off tx-udp-segmentation off gso on >/dev/null
head -c 120000 /dev/urandom >"$OUT/sent"
# Port 7001 gets unrelated traffic of the same kind.
background in_b socat -u TCP-LISTEN:7001,fork,reuseaddr OPEN:/dev/null
background in_b socat -u UDP-RECV:7001 OPEN:/dev/null
wait_for "the others" listening B 7001
wait_for "the others" udp_listening B 7001

# The socket option 103 is UDP_SEGMENT, whose name this version of socat does not know. It cuts each
# datagram into pieces of 1000 bytes.
cat >"$OUT/command" <<'END'
for port in 7001 9000; do
	socat -u -b 60000 "OPEN:$OUT/sent" "TCP:10.9.0.2:$port" || exit
	socat -u -b 20000 "OPEN:$OUT/sent,readbytes=40000" "UDP:10.9.0.2:$port,setsockopt-int=17:103:1000" || exit
done
over 9000
END

has_come() {
	[ "$(stat -c %s "$OUT/came.udp")" = 40000 ]
}

# exchange WHAT COMMAND…: run a script that sends large packets of TCP and UDP. COMMAND starts the script;
# it is env or a recorder.
exchange() {
	local tcp udp
	in_b socat -u TCP-LISTEN:9000,reuseaddr "CREATE:$OUT/came.tcp" &
	tcp=$!
	at_exit stop $tcp
	in_b socat -u UDP-RECV:9000 "CREATE:$OUT/came.udp" &
	udp=$!
	at_exit stop $udp
	wait_for "the receiver of TCP" listening B 9000
	wait_for "the receiver of UDP" udp_listening B 9000
	in_a "${@:2}" bash "$OUT/command" 2>"$OUT/said" || fail "$1: $(cat "$OUT/said")"
	wait $tcp
	wait_for "the last segment of UDP" has_come
	stop $udp
	cmp "$OUT/sent" "$OUT/came.tcp" || fail "$1: the data received over TCP differs"
	cmp <(head -c 40000 "$OUT/sent") "$OUT/came.udp" || fail "$1: the data received over UDP differs"
	ok "$1: all that was sent came, in order"
}

# record_segments: record the exchange, with tcpdump at both ends
record_segments() {
	tap A va
	tap B vb
	exchange "recorded" trace-cmd record-skb "${few[@]}" -l 'udp*' -l 'skb_segment' -b 16384 -o "$OUT/trace.dat" -p 9000 --
	taps_end
	nothing_lost "$OUT/said"
}
