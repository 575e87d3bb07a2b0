# SPDX-License-Identifier: GPL-2.0
# report-skb --json | awk -f verdicts.awk: "NUMBER|what became of it" of each packet, in the words that are for people

function member(name) {
	if (!match(verdict, "\"" name "\":\"[^\"]*\""))
		return ""
	return substr(verdict, RSTART + length(name) + 4, RLENGTH - length(name) - 5)
}

BEGIN {
	words["delivered"] = "delivered to a socket (FUNCTION)"
	words["consumed"] = "consumed by FUNCTION"
	words["forwarded"] = "forwarded out of DEVICE"
	words["sent"] = "sent out of DEVICE"
	words["dropped"] = "dropped in FUNCTION: REASON"
	words["freed"] = "freed in FUNCTION, no reason given"
	words["unknown"] = "last seen in FUNCTION"
}

/^{"type":"packet"/ {
	match($0, /"number":[0-9]+/)
	number = substr($0, RSTART + 9, RLENGTH - 9)
	verdict = substr($0, index($0, "\"verdict\":"))
	text = words[member("what")]
	sub(/FUNCTION/, member("function"), text)
	sub(/DEVICE/, member("device"), text)
	sub(/REASON/, member("reason"), text)
	print number "|" text
}
