# SPDX-License-Identifier: GPL-2.0
# Shared by the awk programs: the columns of a row of trace-cmd report, which differ a little between versions,
# and the fields of report -R.

# row(): read the current line; sets task (one stream of events, as described in events.md under "Order"),
# pid, cpu, time, event and rest. Return: 0 if the line is not a row.
function row(	at) {
	if (!match($0, /-[0-9]+ +\[[0-9]+\]/))
		return 0
	at = substr($0, RSTART + 1, RLENGTH - 2)
	pid = at + 0
	sub(/.*\[/, "", at)
	cpu = at + 0
	task = pid ? pid : "0/" cpu
	rest = substr($0, RSTART + RLENGTH)
	# Newer versions of trace-cmd print flags here ("d..2.").
	if (!match(rest, /[0-9]+\.[0-9]+: +[a-z_0-9]+: */))
		return 0
	at = substr(rest, RSTART, RLENGTH)
	rest = substr(rest, RSTART + RLENGTH)
	# The gate of a shared recording has its number behind its name.
	sub(/record_skb_gate_[0-9]/, "record_skb_gate", rest)
	time = event = at
	sub(/:.*/, "", time)
	sub(/^[^ ]* +/, "", event)
	sub(/:.*/, "", event)
	return 1
}

# field(NAME): return the value of the field NAME in a row of report -R.
function field(name,	value) {
	if (!match(" " rest, " " name "="))
		return ""
	value = substr(" " rest, RSTART + RLENGTH)
	if (substr(value, 1, 6) == "ARRAY[")
		sub(/\].*/, "", value)
	else
		sub(/ .*/, "", value)
	return value
}

# hex(DIGITS): the number; not every awk has strtonum().
function hex(digits,	i, n) {
	for (i = 1; i <= length(digits); i++)
		n = n * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
	return n
}

# end_of(ARRAY): "ADDRESS:PORT" from the bytes of a struct sockaddr_in.
function end_of(array,	byte) {
	sub(/.*\[/, "", array)
	split(array, byte, ", *")
	return hex(byte[5]) "." hex(byte[6]) "." hex(byte[7]) "." hex(byte[8]) ":" \
		(hex(byte[3]) * 256 + hex(byte[4]))
}

function wrong(what) {
	print FILENAME ":" FNR ": " what ": " $0 > "/dev/stderr"
	failed = 1
	exit 1
}
