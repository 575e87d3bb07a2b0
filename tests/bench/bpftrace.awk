# SPDX-License-Identifier: GPL-2.0
# From trace-cmd record-skb --list-points: a bpftrace program that tests the ports of IPv4 at each point with an skb.
BEGIN {
	while ((getline line <"/sys/kernel/tracing/available_filter_functions") > 0) {
		sub(/ .*/, "", line)
		here[line] = 1
	}
	print "BEGIN { printf(\"ready\\n\"); }"
}

$3 == "skb" && $1 in here {
	points[$6] = points[$6] (points[$6] ? ",\n" : "") "kprobe:" $1
}

END {
	for (argument in points) {
		print points[argument]
		print "{"
		print "	$skb = (struct sk_buff *)arg" argument ";"
		print "	$ip = (struct iphdr *)($skb->head + $skb->network_header);"
		print "	if ($ip->version == 4 && ($ip->protocol == 6 || $ip->protocol == 17)) {"
		print "		$ports = (struct udphdr *)($skb->head + $skb->network_header + 20);"
		print "		if ($ports->source == 0x2823 || $ports->dest == 0x2823) {"
		print "			printf(\"%s\\n\", probe);"
		print "		}"
		print "	}"
		print "}"
	}
}
