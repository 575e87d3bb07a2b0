# SPDX-License-Identifier: GPL-2.0
# What trace-cmd report-skb --json says: for each packet "PROTOCOL SOURCE > DESTINATION<tab>VERDICT".

# inside(TEXT, NAME): the text or number of the member NAME
function inside(text, name,	value) {
	if (!match(text, "\"" name "\": *(\"[^\"]*\"|[0-9]+)"))
		return ""
	value = substr(text, RSTART, RLENGTH)
	sub(/^"[^"]*": */, "", value)
	gsub(/"/, "", value)
	return value
}

# object(NAME): the object of this name, which has no other in it
function object(name) {
	return match($0, "\"" name "\": *\\{[^{}]*\\}") ? substr($0, RSTART, RLENGTH) : ""
}

function end_of(name,	text) {
	text = object(name)
	return inside(text, "address") (inside(text, "port") ? ":" inside(text, "port") : "")
}

inside($0, "type") == "packet" {
	proto = inside($0, "protocol")
	if (proto == "")
		proto = inside($0, "ethertype") == 2054 ? "arp" : "ether " inside($0, "ethertype")
	else
		proto = proto == 1 ? "icmp" : proto == 6 ? "tcp" : proto == 17 ? "udp" : proto == 58 ? "icmp6" : "ip " proto
	flags = inside($0, "tcp_flags")
	icmp = inside(object("icmp"), "type")
	verdict = object("verdict")
	more = inside(verdict, "reason") inside(verdict, "device")
	printf "%s %s > %s%s%s\t%s%s\n", proto, end_of("source"), end_of("destination"),
		flags == "" ? "" : " " flags, icmp == "" ? "" : " type " icmp,
		inside(verdict, "what"), more == "" ? "" : " " more
}
