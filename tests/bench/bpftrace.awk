# SPDX-License-Identifier: GPL-2.0
# Read the output of trace-cmd record-skb --list-points, and print a bpftrace program. The program compares
# the IPv4 ports at each probe point with an skb argument, and prints a line if one of them is 9000.
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
