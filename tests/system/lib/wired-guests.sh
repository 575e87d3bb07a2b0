# SPDX-License-Identifier: GPL-2.0
# wired-guests.sh - the recording of three guests with faulty links, for two tests with different numbers of
# packets
# shellcheck disable=SC2034,SC2154 # lib.sh or the test sets and uses the other variables.

. "$here/joined.sh"

# exchange: send packets in both directions, so that report-skb can estimate the clocks
exchange() {
	ping -q -i 0.05 -c 40 10.8.0.2 >/dev/null
}

# record_three COUNT: record COUNT numbered packets on all hosts. Set $files to the recordings. Read the
# clocks before and after. The router's CLOCK_MONOTONIC runs 200 ppm faster. The server's time of day and
# CLOCK_TAI are 37 s ahead.
record_three() {
	local host collector
	on_program router clocks rate 200
	at_exit on_program router clocks rate 0
	on server date -s '+37 seconds' >/dev/null
	router_before=$(peer_clocks router)
	server_before=$(peer_clocks server)
	record_guest client -C mono --detail path ip
	record_guest router -C mono --detail path ip
	record_guest server -C tai --detail path ip
	on_program server traffic collect 9000 >collected &
	collector=$!
	wait_for "the collector" on server bash -c '[ -n "$(ss -Hlun "sport = :9000")" ]'
	exchange
	wire 1 10 10 10 7 >/dev/null
	wire 2 10 10 10 8 >/dev/null
	"$(program traffic)" number 10.8.0.2 9000 "$1"
	wait $collector || fail "the collector failed"
	cat collected
	echo "wire 1: $(wire 1 0 0 0 9) through, lost, doubled, late"
	echo "wire 2: $(wire 2 0 0 0 9) through, lost, doubled, late"
	exchange
	router_after=$(peer_clocks router)
	server_after=$(peer_clocks server)
	for host in client router server; do
		guest_ends "$host"
		cat "$shared/$host.said"
		has "$(cat "$shared/$host.said")" " 0 lost" "$host: nothing is lost"
	done
	files=(client.dat router.dat server.dat)
}

# clock_is NAME COLUMN BEFORE AFTER: check report-skb's estimate for the clock of the guest NAME. BEFORE and
# AFTER are clocks that peer_clocks() has printed, before and after the recording. COLUMN is the column of
# the guest's clock in them.
clock_is() {
	local name=$1 column=$2 at real width
	local -a before after
	read -ra before <<<"$3"
	read -ra after <<<"$4"
	at=$(jq --arg name "$name" '.hosts[] | select(.name == $name) | .offset_at_ns' summary.json)
	local ours=$((after[0] - before[0])) theirs=$((after[column] - before[column]))
	width=$((before[4] > after[4] ? before[4] : after[4]))
	real=$((before[0] - before[column] + (ours - theirs) * (at - before[column]) / theirs))
	echo "$name: drift $(((ours - theirs) * 1000 / (theirs / 1000000))) ppb"
	clock_within "$name" $real $width
}

# joined_right COUNT: check the numbers of the packets in the report. Packets with different payloads must
# have different numbers. Nearly all packets with the same payload must have the same number.
joined_right() {
	local all
	trace-cmd report-skb "${files[@]}" --pcap joined.pcapng udp port 9000 2>/dev/null
	all=$("$(program payloads)" joined.pcapng | payload_numbers)
	echo "payloads, numbers with two payloads, payloads with two numbers: $all"
	is "${all% *}" "$1 0" "payloads, numbers with two payloads"
	# 99.99% of the packets must be joined.
	[ "${all##* }" -le $(($1 / 10000)) ] || fail "${all##* } packets are not joined"
}

# lost_are_lost COUNT: check that report-skb shows exactly the packets as lost that a link has lost. If
# another copy of the packet arrived, it is not lost. A link also loses other packets, such as ARP in VXLAN.
# Ignore them: their last bytes are not a number up to COUNT.
lost_are_lost() {
	awk -v last="$(printf %08x "$1")" '$1 "" <= last' "$shared/wire1.lost" "$shared/wire2.lost" | sort -u >lost.wires
	awk '/ did not arrive at/ { lost[$1] } / delivered to a socket/ { got[$1] }
		END { for (n in lost) if (!(n in got)) print n }' frames | sort >lost.report
	awk '/ delivered to a socket/ { print $1 }' frames | sort -u >got.report
	comm -23 lost.wires got.report >lost.wanted
	echo "$(wc -l <lost.wanted) payloads were lost"
	diff lost.wanted lost.report >lost.diff || fail "lost payloads (<), and those that did not arrive in the report (>): $(head -20 lost.diff)"
	ok "packets that did not arrive are those that the wires lost"
}
