# SPDX-License-Identifier: GPL-2.0
# awk -f fates.awk: read the output of trace-cmd report-skb --json. Print a line "FLOW<tab>VERDICT" for each
# packet, and after it a line "FLOW copy<tab>VERDICT" for each of its copies.

# inside(TEXT, NAME): return the value of the member NAME in TEXT, a string or number
function inside(text, name,	value) {
	if (!match(text, "\"" name "\": *(\"[^\"]*\"|[0-9]+)"))
		return ""
	value = substr(text, RSTART, RLENGTH)
	sub(/^"[^"]*": */, "", value)
	gsub(/"/, "", value)
	return value
}

# object(NAME): return the value of the member NAME, an object without inner objects except the BPF program of a verdict
function object(name,	text) {
	text = $0
	gsub(/"program": *\{[^{}]*\}/, "\"program\":0", text)
	return match(text, "\"" name "\": *\\{[^{}]*\\}") ? substr(text, RSTART, RLENGTH) : ""
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

# flow(): return "PROTOCOL SOURCE > DESTINATION", with the flags of TCP or the type of ICMP
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
# In the JSON output, the copies of a packet follow it.
inside($0, "type") == "copy" { print packet " copy\t" verdict() }
