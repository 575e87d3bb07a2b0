# SPDX-License-Identifier: GPL-2.0
# known-calls.awk - add up the bytes of the calls whose begin and return are both in a recording. This is a
# witness for report-skb --bytes if events were lost.
#
# Input: the output of trace-cmd report -R. Output: four numbers of bytes, "written read all-read early". The
# calls have written and read these bytes in TCP streams, or in TLS records of the kernel. "read" leaves out
# calls that also read the FIN, which uses one sequence number. "all-read" includes these calls, which are
# known if the packet with the FIN is recorded.
#
# If the beginning of a stream is lost, its positions begin with the first known write. Then "early" has the
# bytes of earlier reads, which began before the time in the variable since, in nanoseconds.
/: +(call|return): / && / has_stream=1 / {
	delete field
	for (i = 1; i <= NF; i++) {
		if (split($i, part, "=") == 2)
			field[part[1]] = part[2]
	}
	n = field["call"]
	if (/: +call: /) {
		begins[n] = 1
		sends[n] = field["dir"] == 2
		tls[n] = field["tls"]
		wrote[n] = field["write_seq"]
		copied[n] = field["copied_seq"]
		plain[n] = field["tls_plain"]
		is_early[n] = ($3 + 0) * 1000000000 < since - 1000
		next
	}
	if (!(n in begins) || field["ret"] <= 0)
		next
	if (tls[n])
		moved = field["tls_plain"] - plain[n]
	else
		moved = sends[n] ? field["write_seq"] - wrote[n] : field["copied_seq"] - copied[n]
	moved = (moved + 2 ^ 32) % 2 ^ 32
	if (!sends[n] && is_early[n])
		early += field["ret"]
	else if (moved == field["ret"])
		sum[sends[n]] += field["ret"]
	else if (!sends[n] && !tls[n] && moved == field["ret"] + 1)
		last += field["ret"]
}

END {
	print sum[1] + 0, sum[0] + 0, sum[0] + last, early + 0
}
