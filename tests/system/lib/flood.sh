# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# flood.sh - two processes in A send packets as fast as they can; nftables in B counts and drops the packets
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

traffic=$(program traffic)
two_namespaces
ip -n A neigh replace 10.9.0.2 lladdr "$(in_b cat /sys/class/net/vb/address)" dev va nud permanent
# nftables counts the packets on both sides. It drops them in B, so B does not answer.
in_b nft -f - <<-END
	table inet witness {
		counter come { }
		chain in {
			type filter hook input priority 0;
			udp dport { 9000, 9001 } counter name come drop
		}
	}
END

ending_by_time() {
	local status=0
	in_a timeout "$@" || status=$?
	[ "$status" = 124 ]
}

# flood SECONDS: let two processes send packets as fast as they can
flood() {
	local port pids=()
	for port in 9000 9001; do
		ending_by_time "$1" "$traffic" burst 10.9.0.2 100000000 $port &
		pids+=($!)
	done
	wait "${pids[@]}"
	[ "$(packets_of B inet witness come)" -gt 0 ]
}

# said PATTERN: print the number before PATTERN in the recorder's summary
said() {
	grep -oE "[0-9]+ $1" "$OUT/said" | cut -d " " -f 1
}
