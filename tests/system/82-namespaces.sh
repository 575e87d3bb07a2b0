#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: who has the same addresses and ports in another namespace is another; the packet itself goes from one to the next
# timeout: 240

. "$(dirname "$0")/lib.sh"

two_namespaces
tasks=$(program tasks)
echo_server B 9000

# The same again, C for A and D for B.
for ns in C D; do
	ip netns add $ns
	at_exit ip netns del $ns
done
ip link add vc netns C type veth peer name vd netns D
ip -n C address add 10.9.0.1/24 dev vc
ip -n C link set vc up
ip -n D address add 10.9.0.2/24 dev vd
ip -n D link set vd up
echo_server D 9000
in_c() {
	ip netns exec C "$@"
}
wait_for "the way from C to D" in_c ping -c 1 -W 1 10.9.0.2

stranger() {
	while in_c "$tasks" abort 10.9.0.2 9000 7777; do
		echo >>"$OUT/stranger"
		sleep 0.1
	done
}
background stranger
wait_for "the stranger" test -s "$OUT/stranger"

netns_of() {
	ip netns exec "$1" stat -L -c %i /proc/self/ns/net
}
a=$(netns_of A) b=$(netns_of B) c=$(netns_of C) d=$(netns_of D)

# record NAME ARGS…: in A, while the stranger does the same with the very same ends
record() {
	local before name=$1
	shift
	before=$(wc -l <"$OUT/stranger")
	in_a trace-cmd record-skb "${few[@]}" -o "$OUT/$name.dat" "$@" 2>"$OUT/said" || fail "$name: $(cat "$OUT/said")"
	[ "$(wc -l <"$OUT/stranger")" -gt $((before + 2)) ] || fail "$name: the stranger did nothing"
	trace-cmd report -R -i "$OUT/$name.dat" >"$OUT/$name"
}
# numbers NAME FIELD NETNS…: the values of a field, of the packets there
numbers() {
	awk -v name="$2" -v where=" ${*:3} " -f "$here/rows.awk" -f /dev/stdin "$OUT/$1" <<-'END' | sort -u
		row() && event == "packet" && index(where, " " field("netns") " ") { print field(name) }
	END
}
often='for i in 1 2 3 4 5; do "$0" abort 10.9.0.2 9000 7777 || exit; sleep 0.3; done'

record followed -- bash -c "$often" "$tasks"
is "$(numbers followed pkt "$c" "$d")" "" "followed: no packet of the stranger"
[ "$(numbers followed pkt "$a" | wc -l)" -ge 30 ] || fail "few packets in A"
is "$(numbers followed pkt "$b")" "$(numbers followed pkt "$a")" "followed: each packet in both namespaces"
is "$(numbers followed flow "$a" "$b" | wc -l)" 1 "followed: one flow"
is "$(numbers followed pkt 0)" "" "followed: the namespace is known in a socket's queue, too"

# A filter is of addresses: the stranger matches, and is another flow.
record filtered -p 9000 -- bash -c "$often" "$tasks"
[ "$(numbers filtered pkt "$c" | wc -l)" -ge 10 ] || fail "few packets in C"
is "$(numbers filtered netns "$a" "$b" "$c" "$d" 0 | wc -l)" 4 "filtered: the namespace of each row is known"
is "$(numbers filtered flow "$a" "$b" | wc -l)" 1 "filtered: one flow from A to B and back"
is "$(numbers filtered flow "$c" "$d" | wc -l)" 1 "filtered: one from C to D and back"
is "$(comm -12 <(numbers filtered flow "$a" "$b") <(numbers filtered flow "$c" "$d"))" "" "filtered: which is another"
