# SPDX-License-Identifier: GPL-2.0
# report-skb --json | awk -f verdicts.awk: print "NUMBER|verdict" for each packet, and "NUMBER.COPY|verdict"
# for each copy, in the words of the packet table

function member(name) {
	if (!match(verdict, "\"" name "\":\"[^\"]*\""))
		return ""
	return substr(verdict, RSTART + length(name) + 4, RLENGTH - length(name) - 5)
}

function number(name) {
	return match($0, "\"" name "\":[0-9]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : ""
}

BEGIN {
	words["delivered"] = "delivered to a socket (FUNCTION)"
	words["tapped"] = "tapped by a packet socket (FUNCTION)"
	words["consumed"] = "consumed by FUNCTION"
	words["forwarded"] = "forwarded out of DEVICE"
	words["sent"] = "sent out of DEVICE"
	words["queued"] = "queued in FUNCTION for DEVICE"
	words["copied"] = "went on as copies in FUNCTION"
	words["dropped"] = "dropped in FUNCTION: REASON"
	words["freed"] = "freed in FUNCTION, no reason given"
	words["unknown"] = "unknown, last seen in FUNCTION"
}

/^{"type":"(packet|copy)"/ {
	verdict = substr($0, index($0, "\"verdict\":"))
	text = words[member("what")]
	sub(/FUNCTION/, member("function"), text)
	sub(/DEVICE/, member("device"), text)
	sub(/REASON/, member("reason"), text)
	print number("number") (/^{"type":"copy"/ ? "." number("copy") : "") "|" text
}
