# SPDX-License-Identifier: GPL-2.0
# bytes.awk - compare report-skb --bytes with the logs of bytes.c
#
# usage: awk [-v partial=1] [-v busy=1] [-v shifted=1] -f bytes.awk LOG PIECES
#
# LOG has the lines of bytes.c. PIECES describes ranges of bytes, sorted by port, with lines "port from to
# write_from write_to begun read_from read_to ended". A value is "-" if it is unknown, which is an error
# unless partial is 1. Each byte must be in one range, with the same calls as in the log.
#
# The time from the beginning of the write to the end of the read must not be longer than in the log, which
# includes the time to make the calls. In four of five ranges, it must be at most 2 ms shorter. With busy=1,
# half of the ranges are enough, because a task may lose its CPU between the call and its log.
#
# With shifted=1, the beginning of the stream is not recorded, so the offsets of the ranges are shifted. The
# first known write with a unique length shows by how much.
FILENAME == ARGV[1] {
	n[$1, $2]++
	i = n[$1, $2]
	from[$1, $2, i] = $3
	to[$1, $2, i] = $3 + $4
	begun[$1, $2, i] = $5
	ended[$1, $2, i] = $6
	call[$1, $2, i] = $7
	ports[$2] = 1
	next
}

function fail(text) {
	if (++failures <= 10)
		print "port " port ", bytes " $2 "-" $3 ": " text
}

# is_call(WHAT, I, FROM, TO): return 1 if the call with index I wrote or read exactly the bytes from FROM to
# TO. For sendfile() and splice() to a socket, a part of the call's bytes is enough, because the kernel may
# divide them into several calls.
function is_call(what, i, from_here, to_here) {
	if (what == "write" && call[what, port, i] ~ /[fx]/)
		return from_here >= from[what, port, i] && to_here <= to[what, port, i]
	return from_here == from[what, port, i] && to_here == to[what, port, i]
}

# find_call(WHAT, I): return the index of the call that has byte $2 of the stream. Search from index I on.
function find_call(what, i) {
	while (i < n[what, port] && to[what, port, i] <= $2)
		i++
	return i
}

# shift_of(FROM, TO): the report has a write of the bytes from FROM to TO. Find a write with this length in
# the log, and return by how much the offsets in the log are larger. Set knows_shift if only one write in
# the log has this length.
function shift_of(from_here, to_here, i, found) {
	for (i = 1; i <= n["write", port]; i++) {
		if (to["write", port, i] - from["write", port, i] == to_here - from_here) {
			knows_shift = !found
			found = i
		}
	}
	return from["write", port, found] - from_here
}

$1 != port {
	port = $1
	w = r = 1
	knows_shift = !shifted
}

shifted {
	if (!knows_shift && $4 != "-")
		shift = shift_of($4, $5)
	if (!knows_shift)
		next
	for (i = 2; i <= 8; i++) {
		if (i != 6 && $i != "-")
			$i += shift
	}
}

{
	if ($2 != reached[port] + 0 && !partial)
		fail("expected " reached[port] + 0)
	reached[port] = $3
	w = find_call("write", w)
	r = find_call("read", r)
	if (!(partial && $4 == "-") && !is_call("write", w, $4, $5))
		fail("written in " $4 "-" $5 ", not in " from["write", port, w] "-" to["write", port, w])
	if (!(partial && $7 == "-") && !is_call("read", r, $7, $8))
		fail("read in " $7 "-" $8 ", not in " from["read", port, r] "-" to["read", port, r])
	if ($4 == "-" || $7 == "-") {
		unknown += $3 - $2
		next
	}
	if (call["write", port, w] ~ /[fx]/)
		next
	difference = (ended["read", port, r] - begun["write", port, w]) - ($9 - $6)
	if (difference < 0)
		fail("it took longer than in the log")
	late += difference > 2e6
	pieces++
}

END {
	for (port in ports)
		if (!partial && reached[port] != to["write", port, n["write", port]])
			fail("port " port ": the last byte is " reached[port])
	print pieces + 0 " pieces, " unknown + 0 " bytes unknown, " late + 0 " times differ by more than 2 ms"
	exit failures > 0 || late > pieces / (busy ? 2 : 5) + 1
}
