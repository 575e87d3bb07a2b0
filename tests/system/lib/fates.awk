# SPDX-License-Identifier: GPL-2.0
# Reads trace-cmd report-skb --json and prints a line "FLOW<tab>VERDICT" for each packet, followed by a line
# "FLOW copy<tab>VERDICT" for each copy of the packet.

# inside(TEXT, NAME): the text or number of the member NAME
function inside(text, name,	value) {
	if (!match(text, "\"" name "\": *(\"[^\"]*\"|[0-9]+)"))
		return ""
	value = substr(text, RSTART, RLENGTH)
	sub(/^"[^"]*": */, "", value)
	gsub(/"/, "", value)
	return value
}

# object(NAME): the object with this name, which contains no other object
function object(name) {
	return match($0, "\"" name "\": *\\{[^{}]*\\}") ? substr($0, RSTART, RLENGTH) : ""
}

function end_of(name,	text) {
	text = object(name)
	return inside(text, "address") (inside(text, "port") ? ":" inside(text, "port") : "")
}

function protocol(	number) {
	number = inside($0, "protocol")
	if (number == "")
		return inside($0, "ethertype") == 2054 ? "arp" : "ether " inside($0, "ethertype")
	return number in names ? names[number] : "ip " number
}

# flow(): "PROTOCOL SOURCE > DESTINATION", and the flags of TCP, or the type of ICMP
function flow(	flags, type) {
	flags = inside($0, "tcp_flags")
	type = inside(object("icmp"), "type")
	return protocol() " " end_of("source") " > " end_of("destination") (flags == "" ? "" : " " flags) \
		(type == "" ? "" : " type " type)
}

function verdict(	text, more) {
	text = object("verdict")
	more = inside(text, "reason") inside(text, "device")
	return inside(text, "what") (more == "" ? "" : " " more)
}

BEGIN {
	names[1] = "icmp"
	names[6] = "tcp"
	names[17] = "udp"
	names[58] = "icmp6"
}
inside($0, "type") == "packet" {
	packet = flow()
	print packet "\t" verdict()
}
# The copies of a packet follow it.
inside($0, "type") == "copy" { print packet " copy\t" verdict() }
