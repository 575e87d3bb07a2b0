# SPDX-License-Identifier: GPL-2.0
# tcpdump -r FILE -x … | awk -f rows.awk -f wire.awk: print TCP packets in the format of packets.awk.

function number(from, bytes) {
	return hex(substr(bytes_seen, from * 2 + 1, bytes * 2))
}

function address(from) {
	return number(from, 1) "." number(from + 1, 1) "." number(from + 2, 1) "." number(from + 3, 1)
}

function packet(	tcp) {
	if (bytes_seen == "")
		return
	tcp = number(0, 1) % 16 * 4
	printf "%s:%d > %s:%d flags %d seq %.0f ack %.0f len %d\n", address(12), number(tcp, 2), address(16),
		number(tcp + 2, 2), number(tcp + 13, 1), number(tcp + 4, 4), number(tcp + 8, 4), number(2, 2)
	bytes_seen = ""
}

/^[^\t ]/ { packet(); next }
{
	sub(/.*: */, "")
	gsub(/ /, "")
	bytes_seen = bytes_seen $0
}
END { packet() }
