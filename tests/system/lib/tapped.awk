# SPDX-License-Identifier: GPL-2.0
# tcpdump -r FILE -nn -t -x … | awk [-v padded=1] -f rows.awk -f tapped.awk: print IP packets in the format of
# recorded.awk

function number(from, n) {
	return hex(substr(bytes, from * 2 + 1, n * 2))
}

# end_of_text(TEXT, PORTS): convert an address as tcpdump prints it. With PORTS, it includes a port:
# "10.9.0.1.9000" becomes 10.9.0.1:9000, and "fd09::1.9000" becomes [fd09::1]:9000.
function end_of_text(text, ports,	port) {
	sub(/:$/, "", text)
	if (!ports)
		return text ~ /:/ ? "[" text "]" : text
	match(text, /\.[0-9]+$/)
	port = substr(text, RSTART + 1)
	text = substr(text, 1, RSTART - 1)
	return (text ~ /:/ ? "[" text "]" : text) ":" port
}

function packet(	v6, proto, at, len, ports, first) {
	if (bytes == "")
		return
	v6 = number(0, 1) >= 96
	proto = v6 ? number(6, 1) : number(9, 1)
	at = v6 ? 40 : number(0, 1) % 16 * 4
	len = v6 ? number(4, 2) + 40 : number(2, 2)
	first = v6 || number(6, 2) % 8192 == 0
	if (v6 && proto == 44) {
		first = number(42, 2) < 8
		proto = number(40, 1)
		at = 48
	}
	ports = first && (proto == 6 || proto == 17)
	# For an IPv6 fragment, tcpdump does not print the ports with the addresses. Take them from the bytes.
	if (v6 && at == 48 && ports) {
		src = src "." number(48, 2)
		dst = dst "." number(50, 2)
	}
	if (padded && len < 46)
		len = 46
	if (proto == 6 && first)
		printf "%d %s > %s flags %d seq %.0f ack %.0f len %d\n", proto, end_of_text(src, 1), end_of_text(dst, 1),
			number(at + 13, 1), number(at + 4, 4), number(at + 8, 4), len
	else
		printf "%d %s > %s flags 0 seq 0 ack 0 len %d\n", proto, end_of_text(src, ports), end_of_text(dst, ports), len
	bytes = ""
}

# For a packet in a tunnel, tcpdump prints two lines. The second one is for the inner packet, and no bytes
# follow it. Skip this line.
/^[^\t ]/ {
	if (!hex_seen && NR > 1)
		next
	hex_seen = 0
	packet()
	ip = $1 == "IP" || $1 == "IP6"
	src = $2
	dst = $4
	sub(/:$/, "", dst)
	next
}

/^[\t ]+0x/ { hex_seen = 1 }

ip && /^[\t ]+0x/ {
	sub(/.*: */, "")
	gsub(/ /, "")
	bytes = bytes $0
}
END { packet() }
