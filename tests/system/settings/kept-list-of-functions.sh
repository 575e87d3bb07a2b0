#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a recording uses the list of functions that an earlier one kept, unless a module has come, the list is wrong or a user can write it
# tags: slow
# requires: strace
# timeout: 200

. "$(dirname "$0")/../lib/lib.sh"

kept=/run/record_skb.functions
at_exit rm -f $kept /run/record_skb.addresses

# reads WHAT TIMES [OPTIONS…]: record a ping to this host. Check that the ping is in the recording, and that the recorder
# has opened the kernel's list of functions TIMES times, as strace shows.
reads() {
	local times
	strace -f -e trace=open,openat -o "$OUT/calls" trace-cmd record-skb "${@:3}" -o "$OUT/trace.dat" icmp -- \
		ping -c 1 -q 127.0.0.1 >"$OUT/said" 2>&1 || fail "$1: $(cat "$OUT/said")"
	has "$(cat "$OUT/said")" '^2 packets matched' "$1: the packets"
	times=$(grep -c 'available_filter_functions.*O_RDONLY' "$OUT/calls" || :)
	is "$times" "$2" "$1: how often the list was read"
}

ip link set lo up
# This test loads the module dummy below. An earlier test may have loaded it already.
modprobe -r dummy
rm -f $kept
reads "first" 1
reads "second" 0

modprobe dummy
reads "another module" 1
reads "the same modules" 0
modprobe -r dummy

# Remove the first function from the kept list. All line numbers in the list are then wrong, and the recorder must notice it.
reads "one module less" 1
awk '!(is_list && NR == first) { print } !is_list && $0 == "" { is_list = 1; first = NR + 1 }' $kept >"$OUT/shorter"
cat "$OUT/shorter" >$kept
reads "a wrong list" 1

# If the kept list lacks a function, the recorder must ask the kernel before it refuses the function.
sed -i 's/\bicmp_rcv$/icmp_other/' $kept
reads "a function that is missing" 1 -g icmp_rcv

# The recorder must not use a list that another user can write, and must not follow a link.
chmod o+w $kept
reads "a list that a user can write" 1
is "$(stat -c %a $kept)" 600 "the mode of the new list"
mv $kept "$OUT/elsewhere"
ln -s "$OUT/elsewhere" $kept
reads "a link" 1
[ ! -L $kept ] || fail "the link was not replaced"

# If the list cannot be kept, the recording works without it.
rm -f $kept
mkdir $kept
reads "a directory in its place" 1
rmdir $kept
is "$(echo $kept*)" "$kept*" "files that are left"
