# SPDX-License-Identifier: GPL-2.0
# known-calls.awk - find the calls of which a recording has both the beginning and the return, and add up
# their bytes. This is a witness for report-skb --bytes if events were lost.
#
# The input is the output of trace-cmd report -R. The output has four numbers of bytes: "written read
# all-read early". The calls wrote and read these bytes in TCP streams, or in TLS records of the kernel.
#
# A FIN uses one sequence number, like a byte. "read" does not include calls that also read the FIN.
# "all-read" includes these calls, too; report-skb knows them if the packet with the FIN is recorded.
#
# If the recording lacks the beginning of a stream, the positions in the stream begin with the first known
# write. Some reads are earlier. "early" is the number of their bytes: these calls began before the time in
# the variable "since", in nanoseconds.
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
