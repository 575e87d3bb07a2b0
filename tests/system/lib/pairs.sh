# SPDX-License-Identifier: GPL-2.0
# pairs.sh - the connected namespaces A and B, and a second pair C and D with the same addresses. Source it
# after lib.sh.
# shellcheck disable=SC2034,SC2154 # the tests use these variables, and lib.sh sets $here.

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

two_namespaces
tasks=$(program tasks)
echo_server B 9000

# Make a second pair of namespaces. C is like A, and D is like B.
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

netns_of() {
	ip netns exec "$1" stat -L -c %i /proc/self/ns/net
}
a=$(netns_of A) b=$(netns_of B) c=$(netns_of C) d=$(netns_of D)

# numbers NAME FIELD NETNS…: print the different values of FIELD among the packets in the namespaces NETNS
numbers() {
	awk -v name="$2" -v where=" ${*:3} " -f "$here/rows.awk" -f /dev/stdin "$OUT/$1" <<-'END' | sort -u
		row() && event == "packet" && index(where, " " field("netns") " ") { print field(name) }
	END
}
# Make five connections with the same addresses and ports.
often='for i in 1 2 3 4 5; do "$0" abort 10.9.0.2 9000 7777 || exit; sleep 0.3; done'
