# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# arrivals.sh - count the UDP packets to port 9001 that arrive in B. nftables counts them and is the witness.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

# count_arrivals: begin to count the packets
count_arrivals() {
	in_b nft -f - <<-END
		table ip witness {
			counter came { }
			chain came {
				type filter hook prerouting priority -450;
				udp dport 9001 counter name came
			}
		}
	END
}

# came: print how many packets have arrived since count_arrivals
came() {
	packets_of B ip witness came
}
