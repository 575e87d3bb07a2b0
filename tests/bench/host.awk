# SPDX-License-Identifier: GPL-2.0
# Print the table of tests/bench/host. A cell has a median, and in brackets this median divided by the median
# without a recording. The input has lines "SETTING WHAT VALUE".
function median(setting, what,	n, i, j, v, t) {
	n = count[setting, what]
	for (i = 1; i <= n; i++) {
		t = value[setting, what, i]
		for (j = i - 1; j && v[j] > t; j--)
			v[j + 1] = v[j]
		v[j + 1] = t
	}
	return v[int((n + 1) / 2)]
}

!($1 in name) {
	name[$1] = $1 == "bare" ? "without recording" : $1 == "matching" ? "`--detail path`, all packets match" : "`--detail " $1 "`"
	settings[++nr] = $1
}
{ value[$1, $2, ++count[$1, $2]] = $3 }

END {
	print "| | ns per packet | throughput, Gbit/s | 99th percentile of the round-trip time, us |"
	print "|---|---:|---:|---:|"
	for (i = 1; i <= nr; i++) {
		s = settings[i]
		packet = median(s, "packet")
		bulk = median(s, "bulk")
		p99 = median(s, "p99")
		# A transfer has 32 KB, which are 262,144 bits; bits per nanosecond are Gbit/s.
		printf "| %s | %d (%.2f) | %.2f (%.2f) | %.1f (%.2f) |\n", name[s], packet, packet / median("bare", "packet"),
			262144 / bulk, median("bare", "bulk") / bulk, p99 / 1000, p99 / median("bare", "p99")
	}
}
