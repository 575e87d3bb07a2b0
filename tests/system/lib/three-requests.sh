# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# three-requests.sh - a client in A sends three requests to a server in B, and both log the times
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1) va --- vb (10.9.0.2) B; va delays each packet of the client by 20 ms

two_namespaces
in_a tc qdisc add dev va root netem delay 20ms

# The server takes 50 ms for the first request of a connection, 100 ms for the second, and 150 ms for the
# third. It logs how many microseconds it really took.
cat >"$OUT/server" <<'END'
i=0
while read -r line; do
	begun=${EPOCHREALTIME/./}
	i=$((i + 1))
	sleep "0.$(printf %03d $((i * 50)))"
	echo $((${EPOCHREALTIME/./} - begun)) >&2
	echo "answer to $line"
done
END
in_b socat TCP-LISTEN:9000,fork,reuseaddr SYSTEM:"bash $OUT/server 2>>$OUT/server.log" &
at_exit stop $!
wait_for "the server" eval 'in_b ss -Htln "sport = :9000" | grep -q .'

# The client logs the duration of each request in microseconds.
cat >"$OUT/client" <<'END'
exec 3<>/dev/tcp/10.9.0.2/9000
for i in 1 2 3; do
	begun=${EPOCHREALTIME/./}
	echo "request $i" >&3
	read -r answer <&3
	echo $((${EPOCHREALTIME/./} - begun)) "$answer"
done
END
